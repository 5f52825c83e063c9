// What the peer does wrong on stdin and stdout.
import type { JsonObject } from "@recourse/core/wire";
import { untilAborted, wait } from "../clock.ts";
import type { PeerRequest } from "../json-rpc.ts";
import { type Misbehaviour, type RowBuilders, rowBuilders } from "./http-exchange.ts";
import { MALFORMED_REPLIES, type MalformedReply, RECORDED_FAILURES, type RecordedFailure } from "./replies.ts";

export interface StdioExchange {
  readonly request: PeerRequest;
  /** How long the misbehaviour takes, if it is about time. */
  readonly delayMs: number;
  /** Aborted when the client closes stdin. */
  readonly signal: AbortSignal;
  /** Aborted when the client cancels the request. */
  readonly cancelled: AbortSignal;
  /** Writes bytes to stdout. */
  readonly writeStdout: (bytes: string | Uint8Array) => Promise<void>;
  readonly writeStderr: (...lines: readonly string[]) => Promise<void>;
  readonly closeStdout: () => void;
  readonly exit: (how: number | "SIGKILL") => void;
}

export type StdioMisbehaviour = Misbehaviour<StdioExchange>;

const { afterCommit, beforeCommit }: RowBuilders<StdioExchange> = rowBuilders<StdioExchange>();

const OVERSIZE_BYTES = 11_534_336;
const EXIT_CODE = 3;

export function messageLine(message: JsonObject): string {
  return `${JSON.stringify(message)}\n`;
}

/** Writes to stderr and exits, as a process does that runs out of memory. */
async function crash(exchange: StdioExchange): Promise<void> {
  await exchange.writeStderr("worker: fatal: cannot allocate memory", "worker: giving up");
  exchange.exit(EXIT_CODE);
}

const MALFORMED_LINES = Object.fromEntries(
  Object.entries<MalformedReply>(MALFORMED_REPLIES).map(([name, { description, from }]) => [
    name,
    afterCommit(description, (exchange, reply) =>
      exchange.writeStdout(Buffer.concat([Buffer.from(from(reply)), Buffer.from("\n")])),
    ),
  ]),
) as Record<keyof typeof MALFORMED_REPLIES, StdioMisbehaviour>;

const RECORDED_LINES = Object.fromEntries(
  Object.entries<RecordedFailure>(RECORDED_FAILURES).map(([name, { description, wire, ran }]) => {
    const act = (exchange: StdioExchange) =>
      exchange.writeStdout(messageLine({ jsonrpc: "2.0", id: exchange.request.id, ...wire }));
    return [name, ran ? afterCommit(description, act) : beforeCommit(description, act)];
  }),
) as Record<keyof typeof RECORDED_FAILURES, StdioMisbehaviour>;

/** Everything that the peer can do wrong on stdin and stdout, by name. */
export const STDIO_MISBEHAVIOURS = {
  ...MALFORMED_LINES,
  ...RECORDED_LINES,
  "lost-exit": afterCommit("Carries the call out, writes to stderr and exits with code 3.", crash),
  "lost-exit-0": afterCommit("Carries the call out and exits with code 0.", (exchange) => exchange.exit(0)),
  "lost-kill": afterCommit("Carries the call out and is killed by a signal.", (exchange) => exchange.exit("SIGKILL")),
  "lost-silence": afterCommit("Carries the call out and never answers.", ({ signal }) => untilAborted(signal)),
  "lost-stdout": afterCommit("Carries the call out and closes stdout, but keeps running.", (exchange) =>
    exchange.closeStdout(),
  ),
  "dropped-exit": beforeCommit("Writes to stderr and exits with code 3 before anything is done.", crash),
  "dropped-silence": beforeCommit("Never does anything and never answers.", ({ signal }) => untilAborted(signal)),
  "partial-line": afterCommit("Writes half of the line, then nothing more.", async (exchange, reply) => {
    await exchange.writeStdout(messageLine(reply).slice(0, 20));
    await untilAborted(exchange.signal);
  }),
  "partial-exit": afterCommit("Writes half of the line and exits with code 3.", async (exchange, reply) => {
    await exchange.writeStdout(messageLine(reply).slice(0, 20));
    exchange.exit(EXIT_CODE);
  }),
  "garbage-lines": afterCommit("Writes log lines to stdout before the answer.", (exchange, reply) =>
    exchange.writeStdout(`Listening on stdio\n[debug] 1 tool call\n\n${messageLine(reply)}`),
  ),
  "oversize-line": afterCommit("Writes a line of eleven mebibytes.", (exchange, reply) =>
    exchange.writeStdout(
      messageLine({ ...reply, result: { content: [{ type: "text", text: "x".repeat(OVERSIZE_BYTES) }] } }),
    ),
  ),
  "stderr-flood": afterCommit("Writes a thousand lines to stderr, then answers.", async (exchange, reply) => {
    await exchange.writeStderr(...Array.from({ length: 1_000 }, (_, number) => `warning ${number}: ${"x".repeat(80)}`));
    await exchange.writeStdout(messageLine(reply));
  }),
  "slow-line": afterCommit("Answers correctly, but late.", async (exchange, reply) => {
    await wait(exchange.delayMs, exchange.signal);
    await exchange.writeStdout(messageLine(reply));
  }),
  "split-line": afterCommit("Writes the line in eight pieces.", async (exchange, reply) => {
    const text = messageLine(reply);
    const size = Math.ceil(text.length / 8);
    for (let at = 0; at < text.length; at += size) {
      await exchange.writeStdout(text.slice(at, at + size));
      await wait(exchange.delayMs / 8, exchange.signal);
    }
  }),
  "answers-twice": afterCommit("Answers the same request twice.", (exchange, reply) =>
    exchange.writeStdout(messageLine(reply).repeat(2)),
  ),
  "late-after-cancel": afterCommit("Waits for the cancellation and answers after it.", async (exchange, reply) => {
    await Promise.race([untilAborted(exchange.cancelled), untilAborted(exchange.signal)]);
    await exchange.writeStdout(messageLine(reply));
  }),
} as const satisfies Record<string, StdioMisbehaviour>;

/** The name of a misbehaviour on stdin and stdout. */
export type StdioMisbehaviourName = keyof typeof STDIO_MISBEHAVIOURS;
