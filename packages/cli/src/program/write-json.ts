import type { Output } from "./io.ts";

/** Writes the one document of `--json`. */
export function writeJson(output: Output, value: unknown): void {
  output.write(`${JSON.stringify(value, undefined, 2)}\n`);
}
