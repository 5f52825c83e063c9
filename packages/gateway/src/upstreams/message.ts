import {
  BACKSLASH,
  CLIENT_CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  type JsonObject,
  LATEST_HANDSHAKE_REVISION,
  LATEST_REVISION,
  memberAt,
  objectAt,
  parseJson,
  stringAt,
  VERSION_KEY,
} from "@recourse/core/wire";
import { type Abilities, toCapabilities } from "../call/abilities.ts";
import { eachMember, isTextAt, type Span, skipSpace, valuesOf } from "../call/json-bytes.ts";
import { withSpans } from "../call/json-edit.ts";
import type { UpstreamRequest } from "../call/upstream.ts";

export interface About {
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
}

export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

export function readAbout(result: JsonObject): About {
  return { capabilities: objectAt(result, "capabilities") ?? {}, instructions: stringAt(result, "instructions") };
}

/** The params of `server/discover`, the first message of the newer era. */
export function discoverParams(client: ClientInfo): Buffer {
  const meta = { [VERSION_KEY]: LATEST_REVISION, [CLIENT_INFO_KEY]: client, [CLIENT_CAPABILITIES_KEY]: {} };
  return Buffer.from(JSON.stringify({ _meta: meta }));
}

/** The params of `initialize`, the first message of the older era. */
export function initializeParams(client: ClientInfo, abilities: Abilities): Buffer {
  const capabilities = toCapabilities(abilities);
  const params = { protocolVersion: LATEST_HANDSHAKE_REVISION, capabilities, clientInfo: client };
  return Buffer.from(JSON.stringify(params));
}

/** Where the parts of a JSON-RPC message of an upstream stand in its bytes. */
export interface Envelope {
  id: Span | undefined;
  method: Span | undefined;
  result: Span | undefined;
  error: Span | undefined;
}

/**
 * Finds the envelope of a message. Undefined if the bytes are not one whole object, or if a name of the envelope is
 * repeated or escaped, so that two parsers could read two messages. What is inside the members is not checked.
 */
export function findEnvelope(bytes: Buffer): Envelope | undefined {
  const found: Envelope = { id: undefined, method: undefined, result: undefined, error: undefined };
  const end = eachMember(bytes, skipSpace(bytes, 0), (keyStart, keyEnd, span) => {
    const name = envelopeName(bytes, keyStart, keyEnd);
    if (name === undefined) return true;
    if (name === "escaped" || found[name] !== undefined) return false;
    found[name] = span;
    return true;
  });
  return end !== -1 && skipSpace(bytes, end) === bytes.length ? found : undefined;
}

/** Whether the object at a position has a member of that name, even if the name is escaped. */
export function hasMember(bytes: Buffer, start: number, name: string): boolean {
  return valuesOf(bytes, start, name).length > 0;
}

const ENVELOPE_NAMES = ["id", "method", "result", "error"] as const satisfies readonly (keyof Envelope)[];

function envelopeName(bytes: Buffer, start: number, end: number): keyof Envelope | "escaped" | undefined {
  for (const name of ENVELOPE_NAMES) if (isTextAt(bytes, start, end, name)) return name;
  for (let at = start; at < end; at++) if (bytes[at] === BACKSLASH) return "escaped";
  return undefined;
}

/** The same bytes as a `Buffer`, not copied. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A JSON-RPC message around params that are not parsed. */
export function messageBody(id: string | undefined, method: string, params: Buffer): Buffer {
  const name = JSON.stringify(method);
  const head =
    id === undefined
      ? `{"jsonrpc":"2.0","method":${name},"params":`
      : `{"jsonrpc":"2.0","id":${id},"method":${name},"params":`;
  const headBytes = Buffer.byteLength(head);
  const body = Buffer.allocUnsafe(headBytes + params.length + 1);
  body.write(head);
  params.copy(body, headBytes);
  body[body.length - 1] = 0x7d;
  return body;
}

export function isSameId(body: Buffer, { start, end }: Span, id: string): boolean {
  if (isTextAt(body, start, end, id)) return true;
  const text = body.toString("utf8", start, end);
  if (text === id) return true;
  try {
    return JSON.parse(text) === JSON.parse(id);
  } catch {
    return false;
  }
}

/** A member that a result has to have, with the value, as JSON, that it gets if it is missing. */
type ResultMember = readonly [name: string, value: string];

const RESULT_TYPE: ResultMember = ["resultType", '"complete"'];
const TYPED: readonly ResultMember[] = [RESULT_TYPE];
/** What was read is not to be kept: an older upstream says nothing about it, and it may be for one caller only. */
const CACHED: readonly ResultMember[] = [RESULT_TYPE, ["ttlMs", "0"], ["cacheScope", '"private"']];

/** What results of the newer era have and those of the older have not. */
export function newerMembers(method: string): readonly ResultMember[] {
  return method === "resources/read" ? CACHED : TYPED;
}

interface AnswerEdits {
  readonly id: string;
  /** Members that the result gets if it has none of the name. @default none */
  readonly added?: readonly ResultMember[] | undefined;
}

const EMPTY_OBJECT = /^\{[\t\n\r ]*\}$/;

/** The answer with another id, and with members that its result lacks. All other bytes stay as they came. */
export function editAnswer(body: Buffer, envelope: Envelope, { id, added = [] }: AnswerEdits): Buffer {
  const edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  if (envelope.id !== undefined) edits.push({ ...envelope.id, text: id });
  const { result } = envelope;
  const missing =
    result === undefined || body[result.start] !== 0x7b
      ? []
      : added.filter(([name]) => !hasMember(body, result.start, name));
  if (result !== undefined && missing.length > 0) {
    const at = result.start + 1;
    const isEmpty =
      result.end - result.start < 64 && EMPTY_OBJECT.test(body.toString("latin1", result.start, result.end));
    const text = missing.map(([name, value]) => `"${name}":${value}`).join();
    edits.push({ start: at, end: at, text: isEmpty ? text : `${text},` });
  }
  edits.sort((one, other) => one.start - other.start);
  const parts: Buffer[] = [];
  let from = 0;
  for (const { start, end, text } of edits) {
    parts.push(body.subarray(from, start), Buffer.from(text));
    from = end;
  }
  parts.push(body.subarray(from));
  return Buffer.concat(parts);
}

/** Params whose progress token is one of the gateway. */
interface TokenReplacement {
  readonly params: Buffer;
  /** The token that the caller sent, as JSON; undefined if it asks for no progress. */
  readonly token: string | undefined;
}

/** Gives params a token of the gateway's in place of the caller's, since two callers may use the same one. */
export function replaceProgressToken(params: Buffer, minted: string): TokenReplacement {
  const [meta] = params.includes("progressToken") ? valuesOf(params, 0, "_meta") : [];
  const [span] = meta === undefined ? [] : valuesOf(params, meta.start, "progressToken");
  if (span === undefined) return { params, token: undefined };
  const token = params.toString("utf8", span.start, span.end);
  return { params: withSpans(params, [span], JSON.stringify(minted)), token };
}

/** A progress notification: the token in it, and where it stands. */
interface Progress {
  readonly token: unknown;
  readonly span: Span;
}

/** What a notification says about progress. Undefined if it names no token, or if two parsers could read two. */
export function readProgress(message: Buffer): Progress | undefined {
  const [params, ...more] = valuesOf(message, skipSpace(message, 0), "params");
  if (params === undefined || more.length > 0) return undefined;
  const [span, ...others] = valuesOf(message, params.start, "progressToken");
  if (span === undefined || others.length > 0) return undefined;
  return { token: parseJson(message.toString("utf8", span.start, span.end)), span };
}

/** What was parsed says it at once; other params have to be searched. */
function asksForProgress({ parsed }: UpstreamRequest): boolean {
  return parsed === undefined || memberAt(objectAt(parsed, "_meta"), "progressToken") !== undefined;
}

/**
 * The request with a token of the gateway's, for an upstream that is sent each request on a stream of its own. Progress with
 * another token never reaches the caller; with this one it gets the caller's.
 */
export function withOwnToken(request: UpstreamRequest, minted: string): UpstreamRequest {
  const { params, token }: TokenReplacement = asksForProgress(request)
    ? replaceProgressToken(request.params, minted)
    : { params: request.params, token: undefined };
  const { onNotification } = request;
  return {
    ...request,
    params,
    onNotification(message) {
      if (readMethod(message) !== "notifications/progress") {
        onNotification(message);
        return;
      }
      const progress = token === undefined ? undefined : readProgress(message);
      if (progress?.token === minted) onNotification(withSpans(message, [progress.span], token ?? ""));
    },
  };
}

/** The method of a message; undefined if it has none, or if two parsers could read two. */
export function readMethod(message: Buffer): unknown {
  const span = findEnvelope(message)?.method;
  return span === undefined ? undefined : parseJson(message.toString("utf8", span.start, span.end));
}

/** Where the faults of messages come from that were lost on the way. */
export const FROM_TRANSPORT = { origin: { layer: "transport" } } as const;
/** The same for messages that the gateway never sent. */
export const UNSENT_BY_GATEWAY = { origin: { layer: "gateway" }, effect: "none" } as const;
