import { type ChildExit, openPipes, startChild } from "@recourse/core/node";
import { isObject, type JsonObject, parseJson, race, sleep } from "@recourse/core/wire";

/** A program that answers requests, one JSON object per line. */
export interface Implementation {
  /** Sends a request and waits for the answer with its id. The text says why there is none. */
  ask(request: JsonObject): Promise<JsonObject | string>;
  /** What it wrote that nobody asked for, at most the first few lines. */
  readonly strays: readonly string[];
  /** The beginning of what it wrote on stderr. */
  stderr(): string;
  stop(): Promise<void>;
}

/** How to start a program, and how long to wait for it. */
export interface ImplementationOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** How long one answer may take, in ms. The first one includes the start of the program. */
  readonly timeoutMs: number;
}

const MAX_DOOR_LINE_BYTES = 4 * 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_STRAYS = 5;
const MAX_STRAY_TEXT = 200;
const MAX_STDERR_TEXT = 4_000;

type Answered = (answer: JsonObject | string) => void;

/** Starts a program. It need not exist: then every request is answered with the reason. */
export function startImplementation(options: ImplementationOptions): Implementation {
  const { timeoutMs, ...program } = options;
  const child = startChild(program);
  const waiting = new Map<number, Answered>();
  const strays: string[] = [];
  let stderr = "";
  let ended: string | undefined;
  let lastId = 0;

  const endWith = (why: string): void => {
    ended ??= why;
    for (const answered of waiting.values()) answered(ended);
    waiting.clear();
  };
  const noteStray = (line: string): void => {
    if (strays.length < MAX_STRAYS && line.trim() !== "") strays.push(line.slice(0, MAX_STRAY_TEXT));
  };
  const write = openPipes(child, {
    maxLineBytes: MAX_DOOR_LINE_BYTES,
    maxBytes: MAX_BYTES,
    onLine: (line) => {
      const answer = parseJson(line, MAX_DOOR_LINE_BYTES);
      const id = isObject(answer) ? answer["id"] : undefined;
      const answered = typeof id === "number" ? waiting.get(id) : undefined;
      if (!isObject(answer) || typeof id !== "number" || answered === undefined) return noteStray(line);
      waiting.delete(id);
      answered(answer);
    },
    onTooLong: () => noteStray("a line of more than 4 MiB"),
    onFlood: () => endWith("It wrote more than 64 MiB, so nothing more was read."),
  });
  child.stderr.on("data", (piece: Uint8Array) => {
    if (stderr.length < MAX_STDERR_TEXT) stderr += new TextDecoder().decode(piece).slice(0, MAX_STDERR_TEXT);
  });
  void child.exited.then((exit) => endWith(describeExit(exit)));

  return {
    strays,
    stderr: () => stderr,
    async ask(request) {
      if (ended !== undefined) return ended;
      lastId += 1;
      const id = lastId;
      const answer = new Promise<JsonObject | string>((resolve) => waiting.set(id, resolve));
      write(JSON.stringify({ id, ...request }));
      const given = await race(answer, { ms: timeoutMs, sleep });
      waiting.delete(id);
      return typeof given === "symbol" ? `There was no answer within ${timeoutMs / 1_000} seconds.` : given;
    },
    async stop() {
      await child.stop({ closeMs: 2_000, terminateMs: 1_000 });
    },
  };
}

function describeExit({ code, signal, error }: ChildExit): string {
  if (error !== undefined) return `It could not be started: ${error.code ?? error.name}.`;
  return `It ended${code === null ? ` by ${signal}` : ` with code ${code}`} before it answered.`;
}
