import { mcp } from "../../../dialects/mcp/mcp.ts";
import { Reporter } from "../../incidents/reporter.ts";
import type { GuardOptions } from "../../options.ts";
import { judge, type Refused } from "./judge.ts";
import { Lines } from "./lines.ts";

/** What is needed of a stream such as `process.stdin`. */
interface StdinLike {
  // biome-ignore lint/suspicious/noExplicitAny: the events of a stream carry what they carry.
  emit(event: any, ...args: any[]): boolean;
}

/** How a guarded input behaves. */
export interface StdinOptions extends Pick<GuardOptions, "sink" | "name" | "docsBase" | "now" | "random"> {
  /** The most bytes of one message; 10 MiB unless told, which is what the SDK's transports hold. */
  readonly maxBytes?: number;
  /** The stream to guard, `process.stdin` unless told. */
  readonly stream?: StdinLike;
  /** Where refusals are answered, `process.stdout` unless told. */
  readonly output?: { write(text: string): unknown };
}

/** A guarded input. */
export interface StdinGuard {
  /** Gives the stream back; the begin of a message that was not finished is lost. */
  release(): void;
  /** How many lines were refused so far. */
  refused(): number;
}

const DEFAULT_MAX = 10 * 1_024 * 1_024;

/**
 * Answers what the transport of a server on stdio drops without a word or dies of: lines that are no UTF-8, no JSON or no
 * message, and messages that are too large. Call it before the transport starts.
 *
 * It looks at the `data` events of the stream, which is how the SDK reads.
 */
export function guardStdin(options: StdinOptions = {}): StdinGuard {
  const { maxBytes = DEFAULT_MAX } = options;
  const stream = options.stream ?? platform().process?.stdin;
  const output = options.output ?? platform().process?.stdout;
  if (stream === undefined || output === undefined)
    throw new TypeError("guardStdin needs streams: there is no process.");
  // Whoever started this process wants to know of every line that went wrong between the two.
  const reporter = new Reporter({ ...options, recorded: true });
  const lines = new Lines(maxBytes);
  const original = stream.emit;
  let count = 0;

  function answer({ fault, id }: Refused): void {
    count += 1;
    const out = reporter.release(fault, undefined, { method: "stdin", context: undefined });
    const wire = mcp.encode(out, { method: "stdin" });
    output?.write(`${JSON.stringify({ jsonrpc: "2.0", ...(id !== undefined && { id }), ...wire })}\n`);
  }

  function emit(this: unknown, event: unknown, ...args: unknown[]): boolean {
    const [chunk] = args;
    if (event !== "data" || !(chunk instanceof Uint8Array)) return original.call(stream, event, ...args);
    for (const line of lines.take(chunk)) {
      const refused = judge(line, maxBytes);
      if (refused !== undefined) answer(refused);
      else if ("bytes" in line) original.call(stream, event, asBuffer(line.bytes));
    }
    return true;
  }

  stream.emit = emit;
  return {
    refused: () => count,
    release() {
      if (stream.emit === emit) stream.emit = original;
    },
  };
}

/** The SDK's transports read Node's own kind of bytes. */
function asBuffer(bytes: Uint8Array): Uint8Array {
  return platform().Buffer?.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) ?? bytes;
}

interface Platform {
  readonly process?: { readonly stdin?: StdinLike; readonly stdout?: { write(text: string): unknown } };
  readonly Buffer?: { from(bytes: ArrayBufferLike, offset: number, length: number): Uint8Array };
}

function platform(): Platform {
  return globalThis as unknown as Platform;
}
