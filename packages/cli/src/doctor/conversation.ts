import { type Child, type ChildOptions, openPipes, startChild } from "@recourse/core/node";
import { type JsonObject, LineReader, race } from "@recourse/core/wire";
import { parseBounded } from "../recording/parse.ts";
import { PROBE_LIMITS } from "../wire/limits.ts";
import { answersId, isServerRequest, messagesIn, replyToServer } from "../wire/messages.ts";
import type { DoctorWaits } from "./diagnosis.ts";

/** A program that runs, with everything that it wrote. Unlike a probe, `doctor` keeps the raw text. */
export interface ProgramConversation {
  /** The system's code if it could not be started. Resolves as soon as that is known. */
  readonly startError: Promise<string | undefined>;
  /** Sends a request and waits for its response. */
  ask(message: JsonObject & { readonly id: number }, ms: number): Promise<ProgramReply>;
  /** Sends a notification. */
  notify(message: JsonObject): void;
  /** Waits for the program to end by itself. Undefined if it still runs after the time. */
  end(ms: number): Promise<ProgramEnd | undefined>;
  stdout(): string;
  stderr(): string;
  /** Whether the program sent back what it got. */
  echoes(): boolean;
  /** Closes stdin and ends the program with its children. */
  stop(): Promise<ProgramEnd>;
}

/** What became of a request. */
export type ProgramReply =
  | { readonly kind: "response"; readonly message: JsonObject; readonly ms: number }
  | { readonly kind: "ended"; readonly ended: ProgramEnd }
  | { readonly kind: "silent"; readonly ms: number };

/** How to talk to a program. */
interface ConversationOptions extends ChildOptions {
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Called with each line of stderr as it arrives. */
  readonly onStderrLine?: ((line: string) => void) | undefined;
  readonly waits: Pick<DoctorWaits, "closeMs" | "sleep">;
}

const MAX_PROGRAM_TEXT = 256 * 1024;
const MAX_PROGRAM_LINE = 16 * 1024 * 1024;
/** What a program that floods stdout writes after this is not looked at. */
const MAX_STDOUT = 64 * 1024 * 1024;

/** Starts a program and reads what it writes. */
export function converse({ now, signal, onStderrLine, waits, ...options }: ConversationOptions): ProgramConversation {
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
    write(line);
  };
  const write = openPipes(child, {
    maxLineBytes: MAX_PROGRAM_LINE,
    // The rest is read and dropped: a closed pipe would end the program, and that would look like its own failure.
    maxBytes: MAX_STDOUT,
    onLine(text) {
      // Answering our own request, which came back, would answer it for the program.
      if (sent.has(text.trim())) {
        echoes = true;
        return;
      }
      for (const message of messagesIn(parseBounded(text.replace(/^\ufeff/, "")))) {
        if (isServerRequest(message) && replies < PROBE_LIMITS.replies) {
          replies += 1;
          send(replyToServer(message));
        }
        for (const [id, resolve] of waiting) if (answersId(message, id)) resolve(message);
      }
    },
  });
  if (onStderrLine !== undefined) {
    const lines = new LineReader({
      // Empty lines are shown too.
      keepEnd: true,
      maxBytes: MAX_PROGRAM_LINE,
      onLine: (line) => onStderrLine(new TextDecoder().decode(line).replace(/\r?\n$/, "")),
      onTooLong: () => onStderrLine("(a very long line)"),
    });
    child.stderr.on("data", (piece: Uint8Array) => lines.push(piece));
  }

  /** What was written before the end may still be in the pipes, unless a child of the program holds them open. */
  const ended = child.exited.then(async ({ code, signal: name }): Promise<ProgramEnd> => {
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

/** Keeps the beginning of a stream as text, byte order marks included. */
function keepText(stream: Child["stdout"]): { text(): string; readonly closed: Promise<void> } {
  let kept = "";
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  stream.on("data", (piece: Uint8Array) => {
    if (kept.length < MAX_PROGRAM_TEXT) kept += decoder.decode(piece, { stream: true });
  });
  return { text: () => kept, closed: new Promise((resolve) => stream.once("close", () => resolve())) };
}

/** What was seen of a program that was started to speak over stdin and stdout. Secrets are already replaced. */
export interface ProgramObservation {
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** The folder in which it starts. */
  readonly folder: string;
  readonly folderExists: boolean;
  /** The system's code if it could not be started, such as `ENOENT`. */
  readonly startError?: string;
  /** How it ended by itself. Absent while it runs. */
  readonly ended?: ProgramEnd;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether it sent back what it got. */
  readonly echoes: boolean;
  /** How long `doctor` waited for an answer. */
  readonly waitedMs: number;
  /** What the script of a package manager runs, such as `node dist/server.js` for `npm start`. */
  readonly script?: string;
  /** Names of variables that this process has and the program does not get. */
  readonly withheld?: ReadonlySet<string>;
  /** Where a shell of the user defines the command, which no host sees. */
  readonly alias?: { readonly file: string; readonly line: number; readonly kind: "alias" | "function" };
  /** Whether it stands in the configuration file of a host. */
  readonly inFile?: boolean;
  /** The versions of Node that the nearest package.json asks for. */
  readonly engines?: string;
}

/** How a process ended. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** After this many milliseconds. */
  readonly ms: number;
}
