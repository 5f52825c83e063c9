import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { StdioMisbehaviourName } from "./misbehaviours/stdio.ts";
import type { PeerDialect } from "./server/compliant-server.ts";
import { type AppliedEffect, countEffects, type EffectCounts, type StepSpec } from "./step-queue.ts";

/** Options of a peer on stdin and stdout. */
export interface StdioPeerOptions {
  /** Steps for the first tool calls, one each. @default [] */
  readonly steps?: readonly StdioPeerStep[];
  /** A step for every call of a tool, by the name of the tool. @default {} */
  readonly tools?: Readonly<Record<string, StdioPeerStep>>;
  /** Whether idempotency keys are honoured and announced. @default false */
  readonly idempotency?: boolean;
  /** The dialect of its error replies. @default "mcp" */
  readonly dialect?: PeerDialect;
  /** How long misbehaviours take that are about time, in milliseconds. @default 200 */
  readonly delayMs?: number;
}

/** Steps are passed on a command line, so that they are plain names. */
type StdioPeerStep = Extract<StepSpec<StdioMisbehaviourName>, string>;

/** A peer that a stdio transport starts: `new StdioClientTransport({ command, args })`. */
export interface StdioPeer {
  /** The program to start. */
  readonly command: string;
  /** The arguments of the program. */
  readonly args: readonly string[];
  /** How often each effect really happened, in all processes that were started with these arguments. */
  effects(): EffectCounts;
  /** Removes the file in which the effects are recorded. The transport ends the processes. */
  close(): void;
  /** Closes the peer at the end of a `using` block. */
  [Symbol.dispose](): void;
}

/**
 * Prepares an MCP server that misbehaves on demand, for a stdio transport to start.
 *
 * @example
 * ```ts
 * import { Client } from "@modelcontextprotocol/client";
 * import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
 * import { misbehaveStdio } from "@recourse/testing/peer";
 *
 * using peer = misbehaveStdio({ steps: ["lost-exit"] });
 * const client = new Client({ name: "test", version: "1.0.0" });
 * await client.connect(new StdioClientTransport({ command: peer.command, args: [...peer.args] }));
 * await client.callTool({ name: "charge", arguments: { amount: 5 } }).catch((error) => console.log(error.message));
 * console.log(peer.effects().total); // 1: the process exited after the call had taken effect
 * ```
 */
export function misbehaveStdio(options: StdioPeerOptions = {}): StdioPeer {
  const folder = mkdtempSync(join(tmpdir(), "misbehaving-peer-"));
  const effectsFile = join(folder, "effects");
  // The program is beside this module, in the sources and in the built package. Sources import the sources of our packages.
  const extension = extname(import.meta.url);
  const program = fileURLToPath(new URL(`./stdio${extension}`, import.meta.url));
  const flags = extension === ".ts" ? ["--conditions=@recourse/source"] : [];
  const close = (): void => rmSync(folder, { recursive: true, force: true });
  return {
    command: process.execPath,
    args: [
      ...flags,
      program,
      ...["--effects", effectsFile],
      ...(options.steps ?? []).flatMap((step) => ["--next", step]),
      ...Object.entries(options.tools ?? {}).flatMap(([tool, step]) => ["--tool", `${tool}=${step}`]),
      ...(options.idempotency === true ? ["--idempotency"] : []),
      ...(options.dialect === undefined ? [] : ["--dialect", options.dialect]),
      ...(options.delayMs === undefined ? [] : ["--delay-ms", String(options.delayMs)]),
    ],
    effects: () => countEffects(readEffects(effectsFile)),
    close,
    [Symbol.dispose]: close,
  };
}

function readEffects(file: string): AppliedEffect[] {
  try {
    const lines = readFileSync(file, "utf8").trim().split("\n");
    return lines.map((line) => JSON.parse(line) as AppliedEffect);
  } catch (thrown) {
    // The first effect creates the file.
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw thrown;
  }
}
