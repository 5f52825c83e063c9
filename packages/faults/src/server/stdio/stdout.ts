import { isJson, parseJson, stringAt } from "../../dialects/wire.ts";

/** What is needed of a stream such as `process.stdout`. */
interface StdoutLike {
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of a stream's write differ by platform.
  write(...args: any[]): boolean;
  readonly writableNeedDrain?: boolean;
}

/** How a guarded output behaves. */
export interface StdoutOptions {
  /** Where stray lines go; the default writes them to standard error. */
  readonly divert?: (line: string) => unknown;
  /** The stream to guard, `process.stdout` unless told. */
  readonly stream?: StdoutLike;
}

/** A guarded output. */
export interface StdoutGuard {
  /** Gives the stream back; a line that was not finished goes where it belongs. */
  release(): void;
  /** How many stray lines were kept out so far. */
  diverted(): number;
}

type Done = (error?: Error | null) => void;

/** The longest unfinished line that is held. */
const LONGEST = 16 * 1_024 * 1_024;
/** How many writes of an unfinished line may be the begin of a message. */
const MOST_BEGINNINGS = 16;

/**
 * Keeps everything that is no JSON-RPC message out of the output of a server on stdio, where a stray print breaks the
 * connection: whole lines are looked at, also when they come in several writes.
 *
 * What bypasses the stream cannot be caught: `fs.writeSync(1, …)`, native code, children that inherit the output.
 */
export function guardStdout(options: StdoutOptions = {}): StdoutGuard {
  const stream = options.stream ?? platform().process?.stdout;
  if (stream === undefined) throw new TypeError("guardStdout needs a stream: there is no process.stdout here.");
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
      // A print that cannot be shown must not break the one who printed.
    }
  }

  /** The message that ends the line, if any; what was printed before it without a line break goes its own way. */
  function finished(): string {
    const line = pieces.join("");
    const begin = beginOf(pieces);
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
    if (held > LONGEST) {
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
    // Characters that began in bytes and go on in a string are broken, and nobody else's.
    return decoder.decode() + chunk;
  }

  function write(chunk: unknown, encoding?: unknown, callback?: unknown): boolean {
    if (!active || !(typeof chunk === "string" || chunk instanceof Uint8Array)) return pass(chunk, encoding, callback);
    const done = [encoding, callback].find((one) => typeof one === "function") as Done | undefined;
    const kept = taken(textOf(chunk, encoding));
    if (kept !== "") return done === undefined ? pass(kept) : pass(kept, done);
    if (done !== undefined) queueMicrotask(() => done());
    return stream?.writableNeedDrain !== true;
  }

  stream.write = write;
  return {
    diverted: () => count,
    release() {
      if (!active) return;
      active = false;
      // Somebody who wrapped the stream after us keeps calling us; then everything passes.
      if (stream.write === write) stream.write = original;
      hold(decoder.decode());
      decoder = new TextDecoder();
      const kept = finished();
      if (kept !== "") pass(kept);
    },
  };
}

/** Where in the pieces of a line a message begins that goes on to its end: writers begin messages with a write. */
function beginOf(pieces: readonly string[]): number | undefined {
  const line = pieces.join("");
  let at = 0;
  let tried = 0;
  for (const piece of pieces) {
    if (/^\s*[{[]/.test(piece) && tried++ < MOST_BEGINNINGS && isMessage(line.slice(at))) return at;
    at += piece.length;
  }
  return undefined;
}

/** Whether a line is a JSON-RPC message, or a batch of them. */
function isMessage(line: string): boolean {
  const value = parseJson(line, Number.POSITIVE_INFINITY);
  const messages: readonly unknown[] = Array.isArray(value) ? value : [value];
  return messages.length > 0 && messages.every(isRpc);
}

function isRpc(value: unknown): boolean {
  if (!isJson(value) || value["jsonrpc"] !== "2.0") return false;
  return stringAt(value, "method") !== undefined || Object.hasOwn(value, "result") || Object.hasOwn(value, "error");
}

interface Platform {
  readonly process?: { readonly stdout?: StdoutLike; readonly stderr?: { write(text: string): unknown } };
  readonly Buffer?: { from(text: string, encoding: unknown): Uint8Array };
}

function platform(): Platform {
  return globalThis as unknown as Platform;
}

function toStderr(line: string): void {
  platform().process?.stderr?.write(`${line}\n`);
}
