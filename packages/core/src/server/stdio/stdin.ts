import type { Fault } from "../../fault/fault.ts";
import { platform, type TextWriter } from "../../platform/streams.ts";
import { message_too_large } from "../../reasons/library/content.ts";
import { invalid_request, parse_error } from "../../reasons/library/protocol.ts";
import { checkNumbers } from "../../wire/check-number.ts";
import { parseJson } from "../../wire/json.ts";
import { LineReader } from "../../wire/lines.ts";
import { messageIssues, readableId } from "../../wire/message.ts";
import { MessageOutline } from "../../wire/message-outline.ts";
import { bareError, LateReporter } from "../first-failure.ts";
import type { GuardOptions } from "../options.ts";
import { encodingFault } from "../requests/validate-request.ts";

/** What is needed of a stream such as `process.stdin`. */
interface StdinLike {
  // biome-ignore lint/suspicious/noExplicitAny: each event of a stream has its own arguments.
  emit(event: any, ...args: any[]): boolean;
}

/** Options of `guardStdin`. */
export interface StdinOptions extends Pick<GuardOptions, "sink" | "name" | "docsBase" | "dialect" | "testing"> {
  /** The most bytes of one message. Raise it together with `maxBufferSize` of the transport. @default 10 MiB, as the SDK has it */
  readonly maxBytes?: number;
  /** The stream to guard. @default `process.stdin` */
  readonly stream?: StdinLike;
  /** Where refusals are written. @default `process.stdout` */
  readonly output?: TextWriter;
}

/** A guarded input. */
export interface StdinGuard {
  /** Stops guarding; the beginning of an unfinished message is lost. */
  release(): void;
  /** How many lines were refused so far. */
  refused(): number;
}

const DEFAULT_LINE_BYTES = 10 * 1_024 * 1_024;

/**
 * Answers input that the stdio transport of the SDK drops silently or fails on: lines that are not UTF-8, not JSON or not a
 * message, and messages that are too large. Call it before the transport starts.
 *
 * It looks at the `data` events of the stream, which is how the SDK reads.
 *
 * @example
 * guardStdout();
 * guardStdin();
 * await server.connect(new StdioServerTransport());
 */
export function guardStdin(options: StdinOptions = {}): StdinGuard {
  checkNumbers("", options, { maxBytes: { min: 1 } });
  const { maxBytes = DEFAULT_LINE_BYTES } = options;
  const stream = options.stream ?? (platform().process?.stdin as StdinLike | undefined);
  const output = options.output ?? platform().process?.stdout;
  if (stream === undefined || output === undefined)
    throw new TypeError("guardStdin needs streams: there is no process");
  // The client and the server of a pipe belong together, so every line that breaks on the way is worth a report.
  const reporter = new LateReporter({
    testing: options.testing,
    make: (code) => code.edgeReporter({ ...options, reportCallerErrors: true }),
  });
  const original = stream.emit;
  let count = 0;
  /** Refusals are written in the order of their lines. */
  let before: Promise<unknown> = Promise.resolve();

  function refuse({ fault, id }: RefusedLine): void {
    count += 1;
    const finished = reporter.finish({ fault }, { method: "stdin", context: undefined });
    const written = Promise.all([finished.then(({ wire }) => wire.error).catch(bareError), before]);
    before = written.then(([error]) => {
      output?.write(`${JSON.stringify({ jsonrpc: "2.0", ...(id !== undefined && { id }), error })}\n`);
    });
  }

  let outline: MessageOutline | undefined;
  const lines = new LineReader({
    // Transports look for the end of the line.
    keepEnd: true,
    maxBytes,
    onLine(line) {
      const refused = checkLine(line);
      if (refused === undefined) original.call(stream, "data", toNodeBuffer(line));
      else refuse(refused);
    },
    onExcess(piece) {
      outline ??= new MessageOutline();
      outline.take(piece);
    },
    onTooLong(actualSize) {
      const id = outline?.requestId;
      outline = undefined;
      refuse({ fault: message_too_large.fault({ actualSize, maxSize: maxBytes }), id });
    },
  });

  function emit(this: unknown, event: unknown, ...args: unknown[]): boolean {
    const [chunk] = args;
    if (event !== "data" || !(chunk instanceof Uint8Array)) return original.call(stream, event, ...args);
    lines.push(chunk);
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

/** The SDK's transports expect a Node buffer. */
function toNodeBuffer(bytes: Uint8Array): Uint8Array {
  return platform().Buffer?.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) ?? bytes;
}

/** Why a line is not passed on, and the id of the request in it if there is one. */
interface RefusedLine {
  readonly fault: Fault;
  readonly id: string | number | undefined;
}

/** What is wrong with a line; undefined if it is a message that a transport can read, or blank. */
function checkLine(line: Uint8Array): RefusedLine | undefined {
  const text = decodeUtf8(line);
  const value = parseJson(text ?? new TextDecoder().decode(line), Number.POSITIVE_INFINITY);
  if (text === undefined) return { fault: encodingFault(line), id: readableId(value) };
  if (value === undefined) return text.trim() === "" ? undefined : { fault: parse_error.fault(), id: undefined };
  const issues = messageIssues(value);
  const named = issues === undefined ? {} : { issues };
  // The SDK's transports drop silently what is no message.
  return issues?.length === 0 ? undefined : { fault: invalid_request.fault({}, named), id: readableId(value) };
}

/** The text of bytes that are UTF-8; a byte order mark is not JSON, so it stays and fails. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
