import { platform, writeStderr } from "../../platform/streams.ts";
import { isObject, parseJson, stringAt } from "../../wire/json.ts";

/** What is needed of a stream such as `process.stdout`. */
interface StdoutLike {
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of a stream's write differ by platform.
  write(...args: any[]): boolean;
  readonly writableNeedDrain?: boolean;
}

/** Options of `guardStdout`. */
export interface StdoutOptions {
  /** Receives lines that are not messages. @default writes them to standard error */
  readonly divert?: (line: string) => unknown;
  /** The stream to guard. @default `process.stdout` */
  readonly stream?: StdoutLike;
}

/** A guarded output. */
export interface StdoutGuard {
  /** Stops guarding; an unfinished line is written or diverted. */
  release(): void;
  /** How many stray lines were diverted so far. */
  diverted(): number;
}

type WriteCallback = (error?: Error | null) => void;

const MAX_UNFINISHED_LENGTH = 16 * 1_024 * 1_024;
/** How many writes of an unfinished line are tried as the beginning of a message. */
const MAX_BEGINNINGS = 16;

/**
 * Keeps everything that is not a JSON-RPC message out of the output of a stdio server, where a stray print breaks the
 * connection. It looks at whole lines, also when they come in several writes.
 *
 * It cannot catch what bypasses the stream: `fs.writeSync(1, …)`, native code, and child processes that inherit the output.
 * The console of Bun and of Deno bypasses it too, so there the console is replaced until `release`.
 *
 * @example
 * guardStdout();
 * await server.connect(new StdioServerTransport());
 */
export function guardStdout(options: StdoutOptions = {}): StdoutGuard {
  const stream = options.stream ?? (platform().process?.stdout as StdoutLike | undefined);
  if (stream === undefined) throw new TypeError("guardStdout needs a stream: there is no process.stdout here");
  const divert = options.divert ?? toStderr;
  const original = stream.write;
  // biome-ignore lint/suspicious/noExplicitAny: passes on whatever the platform's own write takes.
  const pass = (...args: any[]): boolean => original.apply(stream, args);
  let decoder = new TextDecoder();
  let pieces: string[] = [];
  let held = 0;
  let count = 0;
  let active = true;

  function stray(text: string): void {
    if (text === "") return;
    count += 1;
    try {
      divert(text);
    } catch {
      // A print that cannot be diverted must not break the code that printed.
    }
  }

  /** The message that ends the line, if any; what was printed before it without a line break is diverted. */
  function finished(): string {
    const line = pieces.join("");
    const begin = findMessageStart(pieces);
    pieces = [];
    held = 0;
    if (begin === undefined) {
      stray(line.trimEnd());
      return "";
    }
    stray(line.slice(0, begin).trimEnd());
    return `${line.slice(begin)}\n`;
  }

  function hold(piece: string): void {
    if (piece === "") return;
    pieces.push(piece);
    held += piece.length;
  }

  function taken(text: string): string {
    let kept = "";
    const [first = "", ...lines] = text.split("\n");
    hold(first);
    for (const line of lines) {
      kept += finished();
      hold(line);
    }
    if (held > MAX_UNFINISHED_LENGTH) {
      stray(pieces.splice(0).join(""));
      held = 0;
    }
    return kept;
  }

  function textOf(chunk: string | Uint8Array, encoding: unknown): string {
    if (typeof chunk !== "string") return decoder.decode(chunk, { stream: true });
    const { Buffer } = platform();
    const isText = typeof encoding !== "string" || /^utf-?8$/i.test(encoding) || Buffer === undefined;
    if (!isText) return decoder.decode(Buffer.from(chunk, encoding), { stream: true });
    // Characters that begin in bytes and continue in a string are broken.
    return decoder.decode() + chunk;
  }

  function write(chunk: unknown, encoding?: unknown, callback?: unknown): boolean {
    if (!active || !(typeof chunk === "string" || chunk instanceof Uint8Array)) return pass(chunk, encoding, callback);
    const done = [encoding, callback].find((one) => typeof one === "function") as WriteCallback | undefined;
    const kept = taken(textOf(chunk, encoding));
    if (kept !== "") return done === undefined ? pass(kept) : pass(kept, done);
    if (done !== undefined) queueMicrotask(() => done());
    return stream?.writableNeedDrain !== true;
  }

  stream.write = write;
  const releaseConsole = options.stream === undefined ? routeConsole(stream) : undefined;
  return {
    diverted: () => count,
    release() {
      if (!active) return;
      active = false;
      releaseConsole?.();
      // Code that wrapped the stream later still calls this write; then everything passes.
      if (stream.write === write) stream.write = original;
      hold(decoder.decode());
      decoder = new TextDecoder();
      const kept = finished();
      if (kept !== "") pass(kept);
    },
  };
}

/** Where in the pieces of a line a message begins that reaches to its end: writers begin messages with a write. */
function findMessageStart(pieces: readonly string[]): number | undefined {
  const line = pieces.join("");
  let at = 0;
  let tried = 0;
  for (const piece of pieces) {
    if (/^\s*[{[]/.test(piece) && tried++ < MAX_BEGINNINGS && isMessageLine(line.slice(at))) return at;
    at += piece.length;
  }
  return undefined;
}

function isMessageLine(line: string): boolean {
  const value = parseJson(line, Number.POSITIVE_INFINITY);
  const messages: readonly unknown[] = Array.isArray(value) ? value : [value];
  return messages.length > 0 && messages.every(isRpc);
}

function isRpc(value: unknown): boolean {
  if (!isObject(value) || value["jsonrpc"] !== "2.0") return false;
  return stringAt(value, "method") !== undefined || Object.hasOwn(value, "result") || Object.hasOwn(value, "error");
}

function toStderr(line: string): void {
  writeStderr(`${line}\n`);
}

// The console of Bun and of Deno writes to standard output itself, past `process.stdout`.

type Prints = Record<string, (...values: unknown[]) => void>;

/** What tells the runtimes apart, and the console, with the class that makes one for other streams. */
interface ConsoleHost {
  readonly Bun?: unknown;
  readonly Deno?: unknown;
  readonly console?: { readonly Console?: unknown; readonly log: unknown };
}

const PRINT_METHODS =
  "log info debug dir dirxml table group groupCollapsed groupEnd count countReset time timeLog timeEnd".split(" ");

/** Makes the console write through a stream that it would bypass. Returns a function that ends this. */
export function routeConsole(stream: object, host: ConsoleHost = globalThis as ConsoleHost): () => void {
  const { Bun, Deno, console } = host;
  if ((Bun === undefined && Deno === undefined) || typeof console?.Console !== "function") return () => {};
  const prints = console as unknown as Prints;
  const routed: Prints = Reflect.construct(console.Console, [{ stdout: stream, stderr: platform().process?.stderr }]);
  const names = PRINT_METHODS.filter((name) => name in prints && name in routed);
  const originals = Object.fromEntries(names.map((name) => [name, prints[name]]));
  for (const name of names) prints[name] = (...values) => routed[name]?.(...values);
  return () => void Object.assign(prints, originals);
}
