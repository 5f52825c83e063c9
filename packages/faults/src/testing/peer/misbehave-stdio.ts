import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { countEffects, type Effect, type Effects } from "./ledger.ts";
import type { Step } from "./script.ts";
import type { StdioMisbehaviourName } from "./stdio/misbehaviours.ts";

/** What a peer on stdin and stdout may be told. */
export interface StdioPeerOptions {
  /** Steps for the first tool calls, one each. */
  readonly script?: readonly StdioName[];
  /** A step for every call of a tool, by its name. */
  readonly tools?: Readonly<Record<string, StdioName>>;
  readonly keys?: boolean;
  readonly dialect?: "mcp" | "erlmcp";
  readonly ms?: number;
}

type StdioName = Extract<Step<StdioMisbehaviourName>, string>;

/** A peer that a stdio transport starts: `new StdioClientTransport({ command, args })`. */
export interface StdioPeer {
  readonly command: string;
  readonly args: readonly string[];
  /** How often each effect was really applied, by all processes that were started with these arguments. */
  effects(): Effects;
  /** Removes the file that the effects are counted in; the processes are their transport's to end. */
  close(): void;
  [Symbol.dispose](): void;
}

/** Prepares a peer for a stdio transport to start. */
export function misbehaveStdio(options: StdioPeerOptions = {}): StdioPeer {
  const folder = mkdtempSync(join(tmpdir(), "misbehaving-peer-"));
  const ledger = join(folder, "effects");
  // The program lies beside this module, built or not.
  const program = fileURLToPath(new URL(`./stdio${extname(import.meta.url)}`, import.meta.url));
  const close = (): void => rmSync(folder, { recursive: true, force: true });
  return {
    command: process.execPath,
    args: [
      program,
      ...["--ledger", ledger],
      ...(options.script ?? []).flatMap((step) => ["--next", step]),
      ...Object.entries(options.tools ?? {}).flatMap(([tool, step]) => ["--tool", `${tool}=${step}`]),
      ...(options.keys === true ? ["--keys"] : []),
      ...(options.dialect === undefined ? [] : ["--dialect", options.dialect]),
      ...(options.ms === undefined ? [] : ["--ms", String(options.ms)]),
    ],
    effects: () => countEffects(readEffects(ledger)),
    close,
    [Symbol.dispose]: close,
  };
}

function readEffects(ledger: string): Effect[] {
  try {
    const lines = readFileSync(ledger, "utf8").trim().split("\n");
    return lines.map((line) => JSON.parse(line) as Effect);
  } catch (thrown) {
    // Without an effect there is no file.
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw thrown;
  }
}
