import { mkdirSync, openSync, writeSync } from "node:fs";

/** The log of gateways in this process goes to a file. Writing it is a part of what is measured; reading it is not. */
export function keepLogApart(): void {
  mkdirSync(".cache", { recursive: true });
  const log = openSync(".cache/gateway-bench.log", "w");
  process.stderr.write = ((text: string | Uint8Array) => {
    writeSync(log, String(text));
    return true;
  }) as typeof process.stderr.write;
}
