import { type JsonObject, race } from "@recourse/faults/internal-do-not-use";
import { type Child, type ChildOptions, startChild } from "../platform/child.ts";
import { parseBounded } from "../recording/parse-json.ts";
import { LIMITS } from "../wire/limits.ts";
import { lineSplitter } from "../wire/lines.ts";
import { answersId, isServerRequest, messagesIn, replyToServer } from "../wire/messages.ts";
import type { Ended } from "./program-seen.ts";
import type { DoctorWaits } from "./waits.ts";

/** A program that runs, with everything that it wrote. Unlike a probe, `doctor` keeps the raw text. */
export interface Conversation {
  /** The system's code if it could not be started. Resolves as soon as that is known. */
  readonly startError: Promise<string | undefined>;
  /** Sends a request and waits for its response. */
  ask(message: JsonObject & { readonly id: number }, ms: number): Promise<Reply>;
  /** Sends a notification. */
  notify(message: JsonObject): void;
  /** Waits for the program to end by itself. Undefined if it still runs after the time. */
  end(ms: number): Promise<Ended | undefined>;
  stdout(): string;
  stderr(): string;
  /** Whether the program sent back what it got. */
  echoes(): boolean;
  /** Closes stdin and ends the program with its children. */
  stop(): Promise<Ended>;
}

/** What became of a request. */
export type Reply =
  | { readonly kind: "response"; readonly message: JsonObject; readonly ms: number }
  | { readonly kind: "ended"; readonly ended: Ended }
  | { readonly kind: "silent"; readonly ms: number };

/** How to talk to a program. */
export interface ConversationOptions extends ChildOptions {
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Called with each line of stderr as it arrives. */
  readonly onStderrLine?: ((line: string) => void) | undefined;
  readonly waits: Pick<DoctorWaits, "closeMs" | "sleep">;
}

const MAX_TEXT = 256 * 1024;
const MAX_LINE = 16 * 1024 * 1024;
/** What a program that floods stdout writes after this is not looked at. */
const MAX_STDOUT = 64 * 1024 * 1024;

/** Starts a program and reads what it writes. */
export function converse({ now, signal, onStderrLine, waits, ...options }: ConversationOptions): Conversation {
  /** The value of a promise, or undefined after the time or when the signal is aborted. */
  const within = async <T extends object>(promise: Promise<T>, ms: number): Promise<T | undefined> => {
    const found = await race(promise, { ms, signal, sleep: waits.sleep });
    return typeof found === "symbol" ? undefined : found;
  };
  const began = now();
  const child = startChild({ ...options, signal });
  const stdout = keepText(child.stdout);
  const stderr = keepText(child.stderr);
  const waiting = new Map<number, (message: JsonObject) => void>();
  const sent = new Set<string>();
  let echoes = false;
  let replies = 0;
  const send = (message: JsonObject): void => {
    const line = JSON.stringify(message);
    sent.add(line);
    if (child.exit() === undefined && !child.stdin.writableEnded) child.stdin.write(`${line}\n`);
  };
  readLines(child, (text) => {
    // Answering our own request, which came back, would answer it for the program.
    if (sent.has(text.trim())) {
      echoes = true;
      return;
    }
    for (const message of messagesIn(parseBounded(text.replace(/^\ufeff/, "")))) {
      if (isServerRequest(message) && replies < LIMITS.replies) {
        replies += 1;
        send(replyToServer(message));
      }
      for (const [id, resolve] of waiting) if (answersId(message, id)) resolve(message);
    }
  });
  if (onStderrLine !== undefined) {
    const split = lineSplitter(MAX_LINE, (line) => onStderrLine("text" in line ? line.text : "(a very long line)"));
    child.stderr.on("data", split);
  }

  /** What was written before the end may still be in the pipes, unless a child of the program holds them open. */
  const ended = child.exited.then(async ({ code, signal: name }): Promise<Ended> => {
    const ms = now() - began;
    await within(Promise.all([stdout.closed, stderr.closed]), 500);
    return { code, signal: name, ms };
  });
  return {
    startError:
      child.pid === undefined
        ? child.exited.then(({ error }) => error?.code ?? error?.message ?? "unknown")
        : Promise.resolve(undefined),
    async ask(message, ms) {
      const asked = now();
      const response = new Promise<JsonObject>((resolve) => waiting.set(message.id, resolve));
      send(message);
      const found = await within(Promise.race([response.then((one) => ({ one })), ended.then((end) => ({ end }))]), ms);
      waiting.delete(message.id);
      if (found === undefined) return { kind: "silent", ms: now() - asked };
      return "end" in found
        ? { kind: "ended", ended: found.end }
        : { kind: "response", message: found.one, ms: now() - asked };
    },
    notify: send,
    end: (ms) => within(ended, ms),
    stdout: stdout.text,
    stderr: stderr.text,
    echoes: () => echoes,
    async stop() {
      const asked = now();
      const { code, signal: name } = await child.stop({ closeMs: waits.closeMs });
      return { code, signal: name, ms: now() - asked };
    },
  };
}

function readLines(child: Child, onLine: (text: string) => void): void {
  let bytes = 0;
  const split = lineSplitter(MAX_LINE, (line) => {
    if ("text" in line) onLine(line.text);
  });
  child.stdout.on("data", (piece: Uint8Array) => {
    bytes += piece.length;
    // The rest is read and dropped: a closed pipe would end the program, and that would look like its own failure.
    if (bytes <= MAX_STDOUT) split(piece);
  });
}

/** Keeps the beginning of a stream as text, byte order marks included. */
function keepText(stream: Child["stdout"]): { text(): string; readonly closed: Promise<void> } {
  let kept = "";
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  stream.on("data", (piece: Uint8Array) => {
    if (kept.length < MAX_TEXT) kept += decoder.decode(piece, { stream: true });
  });
  return { text: () => kept, closed: new Promise((resolve) => stream.once("close", () => resolve())) };
}
