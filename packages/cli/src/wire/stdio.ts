import { randomUUID } from "node:crypto";
import { type Child, type ChildExit, hostEnvironment, openPipes, startChild } from "@recourse/core/node";
import { type JsonObject, memberAt, sleep } from "@recourse/core/wire";
import { findMarkedProcesses, type LeftProcess, START_MARK_NAME } from "../platform/left-behind.ts";
import { parseBounded } from "../recording/parse.ts";
import type { RecordedAnswer } from "../recording/recording.ts";
import { PROBE_LIMITS, PROBE_WAITS, type ProbeWaits } from "./limits.ts";
import {
  answersId,
  answersNobody,
  isResponse,
  isServerRequest,
  type MessageId,
  messagesIn,
  replyToServer,
} from "./messages.ts";

/** What to wait for after a line. */
interface StdioWait {
  /** The id that the answer has to have. */
  readonly id?: MessageId | undefined;
  /** Whether an error without an id is an answer too: the line may not have been readable. */
  readonly orNobody?: boolean | undefined;
  readonly timeoutMs: number;
  /** Sent after the line. Once it is answered and a moment has passed, silence is final. */
  readonly ping?: { readonly id: MessageId; readonly line: string } | undefined;
}

/** A conversation with a program over its pipes. */
export interface StdioLink {
  /** Writes a line and waits. It never rejects. */
  exchange(line: string | Uint8Array, wait: StdioWait): Promise<RecordedAnswer>;
  /** Writes a line without waiting. */
  write(line: string | Uint8Array): void;
  /** Lines on stdout that are no messages. */
  readonly strayLines: readonly string[];
  /** The beginning of stderr. */
  stderr(): string;
  /** How many answers came to a request so far. */
  countAnswers(id: MessageId): number;
  /** Programs that it started and that still run, after a moment. */
  leftBehind(): Promise<readonly LeftProcess[]>;
  /** Closes stdin and waits for the program to end by itself. */
  closeInput(): Promise<RecordedAnswer>;
  /** How the program ended, as soon as it has. */
  exit(): ChildExit | undefined;
  /** Whether the program wrote more than is read. It was ended then. */
  isFlooded(): boolean;
  /** Ends the program and its children. */
  stop(): Promise<void>;
}

/** Why nothing more is read from a program. */
export const FLOODED = `The program wrote more than ${PROBE_LIMITS.stdoutBytes / 1024 / 1024} MiB on stdout.`;

/** A program to talk to. */
export interface StdioProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables beside those that hosts hand on. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** @default those of a probe */
  readonly waits?: ProbeWaits;
  /** A text that no other start has: it distinguishes programs. @default a random one */
  readonly createMark?: (() => string) | undefined;
  /** How it is started. @default as a process */
  readonly start?: StartProgram | undefined;
}

/** Starts a program. */
export type StartProgram = typeof startChild;

/** What a program is watched with. */
interface StdioLinkOptions {
  readonly now: () => number;
  readonly waits: ProbeWaits;
  readonly mark: string;
  readonly signal: AbortSignal;
  /** Called if the program ends and nobody had asked it to. */
  readonly onEndedAlone: (exit: ChildExit) => void;
}

/** Starts a program and talks to it over its pipes. `onEndedAlone` is called if it ends though nobody asked it to. */
export function openStdio(program: StdioProgram, onEndedAlone: (exit: ChildExit) => void = () => {}): StdioLink {
  const { command, args, cwd, signal, now, waits = PROBE_WAITS, createMark = randomUUID, start = startChild } = program;
  const mark = createMark();
  const env = hostEnvironment(process.env, { ...program.env, [START_MARK_NAME]: mark });
  return stdioLink(start({ command, args, env, cwd, signal }), { now, waits, mark, signal, onEndedAlone });
}

interface Waiter {
  readonly accepts: (message: JsonObject) => boolean;
  readonly strays: JsonObject[];
  resolve(found: StdioMessage | undefined): void;
}
interface StdioMessage {
  readonly message: JsonObject;
  readonly text: string;
  readonly bytes: number;
}

/** Talks to a started program, one message per line. */
function stdioLink(child: Child, { now, waits, mark, signal, onEndedAlone }: StdioLinkOptions): StdioLink {
  const waiters = new Set<Waiter>();
  const strayLines: string[] = [];
  /** Ids that were sent and not answered yet: a late answer to one of them is not a stray. */
  const open = new Set<MessageId>();
  /** How many answers each request got. */
  const answered = new Map<MessageId, number>();
  let stderr = "";
  let replies = 0;
  let isFlooded = false;

  const strayLine = (text: string): void => {
    if (strayLines.length < PROBE_LIMITS.strayLines && text.trim() !== "")
      strayLines.push(text.slice(0, PROBE_LIMITS.strayLineText));
  };
  const arrive = (found: StdioMessage): void => {
    const { message } = found;
    if (isServerRequest(message) && replies < PROBE_LIMITS.replies) {
      replies += 1;
      write(JSON.stringify(replyToServer(message)));
    }
    if (!isResponse(message)) return;
    const waiter = [...waiters].find((one) => one.accepts(message));
    const id = memberAt(message, "id") as MessageId;
    const isKnown = open.delete(id) || answered.has(id);
    if (isKnown) answered.set(id, (answered.get(id) ?? 0) + 1);
    if (waiter !== undefined) waiter.resolve(found);
    else if (!isKnown) for (const one of waiters) if (one.strays.length < PROBE_LIMITS.strays) one.strays.push(message);
  };
  const write = openPipes(child, {
    maxLineBytes: PROBE_LIMITS.answerBytes * 2,
    maxBytes: PROBE_LIMITS.stdoutBytes,
    onLine(text, bytes) {
      const messages = messagesIn(parseBounded(text));
      if (messages.length === 0) strayLine(text);
      for (const message of messages) arrive({ message, text, bytes });
    },
    onTooLong: (bytes) => strayLine(`(a line of ${bytes} bytes)`),
    onFlood() {
      // A flood has no end; what came so far is enough.
      isFlooded = true;
      void child.stop({ closeMs: 0, terminateMs: 500 });
    },
  });
  child.stderr.on("data", (piece: Uint8Array) => {
    if (stderr.length < PROBE_LIMITS.stderrText) stderr = `${stderr}${String(piece)}`.slice(0, PROBE_LIMITS.stderrText);
  });

  /** Waits for one message. Undefined after the time, or when the program ends. */
  const next = async (
    accepts: Waiter["accepts"],
    ms: number,
    { strays = [], over }: { readonly strays?: JsonObject[]; readonly over?: AbortSignal } = {},
  ): Promise<StdioMessage | undefined> => {
    const timer = new AbortController();
    try {
      return await new Promise<StdioMessage | undefined>((resolve) => {
        const waiter: Waiter = {
          accepts,
          strays,
          resolve(found) {
            waiters.delete(waiter);
            resolve(found);
          },
        };
        waiters.add(waiter);
        const giveUp = (): void => waiter.resolve(undefined);
        sleep(ms, timer.signal).then(giveUp, giveUp);
        over?.addEventListener("abort", giveUp, { once: true });
        // What was written before the end may still be in the pipe.
        child.exited.then(() => sleep(20, timer.signal)).then(giveUp, giveUp);
      });
    } finally {
      timer.abort();
    }
  };

  /** A program that the probe has ended did not crash. */
  let isStopped = false;
  let isInputClosed = false;
  void child.exited.then((exit) => {
    if (!isStopped && !isInputClosed && !isFlooded && !signal.aborted && exit.error === undefined) onEndedAlone(exit);
  });

  const exchange = async (line: string | Uint8Array, wait: StdioWait): Promise<RecordedAnswer> => {
    const began = now();
    const strays: JsonObject[] = [];
    const { id, orNobody = false, ping } = wait;
    const accepts = (message: JsonObject): boolean =>
      (id !== undefined && answersId(message, id)) || (orNobody && answersNobody(message));
    if (id !== undefined) open.add(id);
    // Once silence is final, an answer without an id belongs to a later line.
    const over = new AbortController();
    const answer = next(accepts, wait.timeoutMs, { strays, over: over.signal });
    const settled = ping === undefined ? undefined : settle(ping, wait.timeoutMs);
    write(line);
    if (ping !== undefined) write(ping.line);
    const found = await (settled === undefined ? answer : Promise.race([answer, settled]));
    over.abort();
    const ms = now() - began;
    if (found !== undefined) {
      return {
        kind: "message",
        message: found.message,
        text: found.text.slice(0, PROBE_LIMITS.answerText),
        bytes: found.bytes,
        ms,
      };
    }
    if (isFlooded) return { kind: "inconclusive", ms, because: FLOODED };
    const exit = child.exit();
    if (isStopped) return { kind: "inconclusive", ms, because: "The probe ended the program." };
    return exit === undefined ? { kind: "silent", ms, strays } : closedAnswer(exit, ms, stderr);
  };
  /** Resolves with nothing once the ping is answered and a moment has passed; never, if it is not answered. */
  const settle = async ({ id }: { readonly id: MessageId }, timeoutMs: number): Promise<undefined> => {
    open.add(id);
    const pong = await next((message) => answersId(message, id), timeoutMs);
    if (pong === undefined) return new Promise(() => {});
    await sleep(waits.settleMs);
    return undefined;
  };

  return {
    exchange,
    write,
    strayLines,
    stderr: () => stderr,
    exit: child.exit,
    isFlooded: () => isFlooded,
    countAnswers: (id) => answered.get(id) ?? 0,
    async leftBehind() {
      const until = now() + waits.childrenMs;
      for (;;) {
        const left = await findMarkedProcesses(mark);
        if (left.length === 0 || now() >= until || signal.aborted) return left;
        await sleep(100, signal).catch(() => {});
      }
    },
    async stop() {
      isStopped = true;
      await child.stop({ closeMs: 500, terminateMs: 1_000 });
    },
    async closeInput() {
      const began = now();
      isInputClosed = true;
      child.stdin.end();
      const timer = new AbortController();
      const exit = await Promise.race([
        child.exited,
        sleep(waits.exitMs, timer.signal).then(
          () => undefined,
          () => undefined,
        ),
      ]);
      timer.abort();
      const ms = now() - began;
      return exit === undefined ? { kind: "silent", ms, strays: [] } : closedAnswer(exit, ms, stderr);
    },
  };
}

function closedAnswer({ code, signal }: ChildExit, ms: number, stderr: string): RecordedAnswer {
  return { kind: "closed", ms, exitCode: code, signal, ...(stderr === "" ? {} : { stderr: stderr.slice(-2_000) }) };
}
