import { amendFault, worseEffect } from "../fault/amend.ts";
import { type Basis, FAULT_LIMITS, type Fault } from "../fault/fault.ts";
import { faultInside } from "../reasons/build-safely.ts";
import { unrecognised } from "../reasons/library/core.ts";
import { failed as tool_failed } from "../reasons/library/tool.ts";
import { toLine } from "../safety/line.ts";
import { asReceived, limitReading } from "../safety/show-line.ts";
import { objectAt } from "../wire/json.ts";
import { readCarriedMembers } from "./carried-members.ts";
import { decodeClosient, isClosientReply } from "./closient/dialect.ts";
import type { DecodeContext } from "./dialect.ts";
import {
  firstText,
  hasOnly,
  innerError,
  onlyText,
  plainCopy,
  REPLY_MEMBERS,
  type ReplyParts,
  readSafely,
  splitReply,
} from "./envelope.ts";
import { decodeErlmcp, isErlmcpReply } from "./erlmcp/decode.ts";
import { decodeFastmcp } from "./fastmcp/dialect.ts";
import { decodeHttp, type HttpDecodeContext } from "./http/dialect.ts";
import { decodeEmbeddedFault, decodeMcp, isMcpError } from "./mcp/dialect.ts";
import { decodeOnx, isOnxReply } from "./onx/dialect.ts";
import { markDecoded } from "./peer-fault.ts";
import { decodePlatica, isPlaticaReply } from "./platica/dialect.ts";
import { decodeQaqnuz, isQaqnuzReply } from "./qaqnuz/dialect.ts";
import { decodeSdk } from "./sdk/dialect.ts";
import { readLocalError } from "./sdk/errors.ts";
import { peerQuote } from "./sentence.ts";
import { guessFromPhrase } from "./text/dialect.ts";

/** A failure that `detect` recognised. */
export interface DetectedFault {
  /** The failure as a fault. */
  readonly fault: Fault;
  /** Name of the dialect that it was written in, such as `http`. */
  readonly dialect: string;
  /** How the fault was found: `stated` by the peer, `mapped` from a code, or `guessed` from a text. */
  readonly basis: Basis;
}

type DecodeFunction = (wire: unknown, context: HttpDecodeContext) => Fault | undefined;

interface DetectReader {
  /** The name that `detect` reports. */
  readonly dialect: string;
  /** Recognises the dialect by its members. @default `read` itself returns undefined for other dialects */
  readonly recognises?: (parts: ReplyParts, context: DecodeContext) => boolean;
  readonly read: DecodeFunction;
  /** It reads the sentence of a failed tool that says nothing else. @default it looks for members that such a result lacks */
  readonly readsSentences?: true;
  /** The reader gets a caught error itself instead of its data, because it needs the class of the error. */
  readonly readsErrors?: true;
}

/** All readers, the most certain first. A code that means different things in different systems is not guessed. */
const READERS: readonly DetectReader[] = [
  { dialect: "mcp", read: faultInside, readsErrors: true },
  { dialect: "mcp", read: embeddedFault },
  { dialect: "closient", recognises: isClosientReply, read: decodeClosient },
  { dialect: "onx", recognises: isOnxReply, read: decodeOnx },
  { dialect: "platica", recognises: isPlaticaReply, read: decodePlatica },
  { dialect: "qaqnuz", recognises: isQaqnuzReply, read: decodeQaqnuz },
  { dialect: "erlmcp", recognises: isErlmcpReply, read: decodeErlmcp },
  // FastMCP for TypeScript writes its own sentences into errors of the SDK.
  { dialect: "fastmcp", recognises: isNotFailedResult, read: decodeFastmcp },
  { dialect: "sdk", recognises: isNotFailedResult, read: readLocalError, readsErrors: true },
  { dialect: "sdk", read: exceptGuesses(decodeSdk), readsSentences: true },
  { dialect: "fastmcp", read: decodeFastmcp, readsSentences: true },
  { dialect: "mcp", recognises: isMcpError, read: decodeMcp },
  { dialect: "http", recognises: isNotFailedResult, read: decodeHttp },
  { dialect: "mcp", recognises: isAnyError, read: faultOfUnknownCode },
  { dialect: "sdk", read: decodeSdk, readsSentences: true },
  // A text without a known phrase says only that the tool failed, which `isError` says already.
  { dialect: "text", read: guessFromPhrase, readsSentences: true },
  { dialect: "mcp", read: decodeMcp, readsSentences: true },
];

const SENTENCE_READERS = READERS.filter(({ readsSentences }) => readsSentences === true);

const BODY_READERS = READERS.filter(({ dialect }) => dialect !== "http");

/**
 * Reads a failure whose dialect you do not know: a reply, its result or error, an HTTP reply, or a caught error.
 * It never throws. Undefined means a success, or a value that no dialect recognises as a failure.
 *
 * @example
 * import { detect } from "@recourse/faults/dialects";
 *
 * const found = detect(await client.callTool({ name: "search", arguments: { query } }));
 * if (found !== undefined) console.error(found.dialect, found.fault.kind, found.fault.recourse[0].do);
 */
export function detect(wire: unknown, context: HttpDecodeContext = {}): DetectedFault | undefined {
  return readSafely(() => limitReading(() => detectWith(READERS, wire, asReceived(context))));
}

/** Like `detect`, but ignores the HTTP status, for callers that know more about the status than the `http` dialect. */
export function detectInBody(wire: unknown, context: HttpDecodeContext = {}): DetectedFault | undefined {
  return readSafely(() => limitReading(() => detectWith(BODY_READERS, wire, asReceived(context))));
}

function detectWith(
  readers: readonly DetectReader[],
  wire: unknown,
  context: HttpDecodeContext,
): DetectedFault | undefined {
  const plain = plainCopy(wire);
  const parts = splitReply(plain);
  if (readers === BODY_READERS && isTextReply(wire, parts)) return undefined;
  for (const { dialect, recognises, read, readsErrors } of isPlainSentence(wire, parts) ? SENTENCE_READERS : readers) {
    if (recognises !== undefined && !recognises(parts, context)) continue;
    const fault = read(readsErrors === true ? wire : plain, context);
    if (fault !== undefined) return { fault: markDecoded(raised(fault, parts)), dialect, basis: fault.basis };
  }
  return undefined;
}

/** An HTTP reply whose body is not JSON: no dialect but `http` reads it. */
function isTextReply(wire: unknown, { body }: ReplyParts): boolean {
  return typeof body === "string" && hasOnly(wire, REPLY_MEMBERS);
}

const MESSAGE_MEMBERS: readonly PropertyKey[] = ["jsonrpc", "id", "result"];
const PLAIN_FAILURE_MEMBERS: readonly PropertyKey[] = ["content", "isError", "resultType"];

/** A failed tool that says why in a text, and nothing else. */
function isPlainSentence(wire: unknown, { result }: ReplyParts): boolean {
  if (result?.["isError"] !== true || !hasOnly(result, PLAIN_FAILURE_MEMBERS) || onlyText(result) !== undefined)
    return false;
  return wire === result || hasOnly(wire, MESSAGE_MEMBERS);
}

/** A sender that writes in one dialect states an effect that readers of sentences of another would not look for. */
function raised(fault: Fault, { error, result }: ReplyParts): Fault {
  const meta = objectAt(result, "_meta");
  const stated = readCarriedMembers(error?.data ?? meta).effect ?? "none";
  // A guess knows nothing about the effect; the server does.
  const embedded = fault.basis === "guessed" ? decodeEmbeddedFault({ result })?.effect : undefined;
  const effect = worseEffect(embedded ?? fault.effect, stated);
  return effect === fault.effect ? fault : amendFault(fault, { effect });
}

function isNotFailedResult({ result }: ReplyParts): boolean {
  return result?.["isError"] !== true;
}

/** An error with a code that no dialect knows. Inside a result without `isError` it is a failure as well. */
function isAnyError(parts: ReplyParts): boolean {
  return innerError(parts) !== undefined && !(parts.error === undefined && parts.result?.["isError"] === true);
}

function faultOfUnknownCode(wire: unknown, context: DecodeContext): Fault {
  const error = innerError(splitReply(wire));
  // An unknown peer is believed when it says that the call took effect, but not when it says that it did not.
  const applied = readCarriedMembers(error?.data).effect === "applied";
  const effect = applied ? { effect: "applied" as const } : {};
  return unrecognised.fault({}, { ...context, basis: "mapped", ...effect, ...peerQuote(error?.message) });
}

/**
 * Reads a fault that was sent as JSON, unless it only repeats the text beside it. A guarded server adds such a fault to what
 * its tools return, which may say more: in the form of another dialect, or in the sentence. It is then read last.
 */
function embeddedFault(wire: unknown, context: HttpDecodeContext): Fault | undefined {
  const fault = decodeEmbeddedFault(wire, context);
  return fault !== undefined && isSentence(fault, splitReply(wire)) ? undefined : fault;
}

function isSentence({ reason, quote }: Fault, { result }: ReplyParts): boolean {
  if (reason !== tool_failed.id || quote === undefined) return false;
  return toLine(firstText(result) ?? "", FAULT_LIMITS.quote) === quote.text;
}

/** The same reader without its guesses, which come later in the list. */
function exceptGuesses(read: DecodeFunction): DecodeFunction {
  return (wire, context) => {
    const fault = read(wire, context);
    return fault?.basis === "guessed" ? undefined : fault;
  };
}
