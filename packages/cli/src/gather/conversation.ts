import { hasHandshake, type JsonObject, memberAt, objectAt, SERVER_INFO_KEY, stringAt } from "@recourse/core/wire";
import type { EraRevision, RecordedAnswer, RecordedExchange, RecordedRequest } from "../recording/recording.ts";
import type { Connection } from "../wire/http.ts";
import { PROBE_LIMITS, type ProbeWaits } from "../wire/limits.ts";
import { CLIENT_INFO, type MessageId, withEnvelope } from "../wire/messages.ts";

/** Something to send, in the form of one transport or both. */
export interface StimulusRequest {
  /** The message, if it is one. It is sent as JSON unless `body` is given. */
  readonly message?: JsonObject;
  /** What goes over the wire instead. */
  readonly body?: string | Uint8Array;
  /** The id that the answer has to have. */
  readonly id?: MessageId;
  /** Whether the server may be unable to read an id, or may answer nothing at all. */
  readonly junk?: boolean;
  readonly timeoutMs?: number;
  /** Whether the beginning of a stream is enough over HTTP. @default false */
  readonly onlyOpens?: boolean;
  /** Whether to listen a moment longer over HTTP: a second answer may follow the first. @default false */
  readonly lingers?: boolean;
  /** What differs from an ordinary HTTP request. `undefined` leaves a header out. */
  readonly http?: {
    readonly url?: URL;
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string | undefined>>;
    readonly connection?: Connection;
  };
}

/** What was sent, and what came back. */
export interface ProbeExchange {
  readonly sent: RecordedRequest;
  readonly answer: RecordedAnswer;
  /** What followed the answer, asked for at the end of the conversation. */
  readonly later?: () => ExchangeSequel;
}

/** What can follow an answer. */
export type ExchangeSequel = Pick<RecordedExchange, "copies" | "ended">;

/** A way to talk to a server in one era. */
export interface ProbeConversation {
  readonly revision: EraRevision;
  readonly transport: "stdio" | "http";
  readonly waits: ProbeWaits;
  /** Sends and waits. It never rejects. */
  send(outgoing: StimulusRequest): Promise<ProbeExchange>;
  /** Why nothing more can be sent. */
  ended(): string | undefined;
  /** An id that was not used yet. */
  nextId(): number;
}

/** Why nothing more is sent after the user ended the probe. */
export const PROBE_ENDED = "You ended the probe.";

/** The text or bytes of something to send. */
export function wireBody({ message, body }: StimulusRequest): string | Uint8Array | undefined {
  return body ?? (message === undefined ? undefined : JSON.stringify(message));
}

/** What a recording keeps of something that was sent. */
export function recordSent(outgoing: StimulusRequest, http?: RecordedRequest["http"]): RecordedRequest {
  const body = wireBody(outgoing) ?? "";
  const text = typeof body === "string" ? body : new TextDecoder().decode(body.subarray(0, PROBE_LIMITS.sentText * 4));
  const bytes = typeof body === "string" ? Buffer.byteLength(body) : body.length;
  return {
    ...(outgoing.message === undefined || bytes > MAX_KEPT_MESSAGE ? {} : { message: outgoing.message }),
    text: text.slice(0, PROBE_LIMITS.sentText),
    bytes,
    ...(http === undefined ? {} : { http }),
  };
}

/** Messages over this size are kept as the beginning of their text only. */
const MAX_KEPT_MESSAGE = 32_768;

/** What a server said about itself. */
export interface Introduction {
  readonly negotiated: string;
  readonly server: { readonly name: string; readonly version: string };
  readonly capabilities: JsonObject;
}

/** How the opening of a conversation went. */
export type Handshake = ProbeExchange &
  ({ readonly ok: true; readonly introduction: Introduction } | { readonly ok: false; readonly because: string });

/** Opens a conversation: `initialize` in the older era, `server/discover` since 2026-07-28. */
export async function performHandshake(conversation: ProbeConversation): Promise<Handshake> {
  const isOlder = hasHandshake(conversation.revision);
  const method = isOlder ? "initialize" : "server/discover";
  const params = isOlder ? initializeRequestParams(conversation.revision) : withEnvelope(conversation.revision, {});
  const id = conversation.nextId();
  const message = { jsonrpc: "2.0", id, method, params };
  const done = await conversation.send({ message, id, timeoutMs: conversation.waits.startMs });
  const introduction = isOlder ? readInitialize(done.answer) : readDiscover(done.answer, conversation.revision);
  if (introduction === undefined) return { ...done, ok: false, because: whyNoHandshake(method, done.answer) };
  if (isOlder) await conversation.send({ message: { jsonrpc: "2.0", method: "notifications/initialized" } });
  return { ...done, ok: true, introduction };
}

/** The parameters of `initialize`. */
export function initializeRequestParams(protocolVersion: unknown): JsonObject {
  return { protocolVersion, capabilities: {}, clientInfo: CLIENT_INFO };
}

function handshakeResult(answer: RecordedAnswer): JsonObject | undefined {
  return answer.kind === "message" ? objectAt(answer.message, "result") : undefined;
}

function readInitialize(answer: RecordedAnswer): Introduction | undefined {
  const result = handshakeResult(answer);
  const negotiated = stringAt(result, "protocolVersion");
  return negotiated === undefined ? undefined : readIntroduction(result, negotiated);
}

function readDiscover(answer: RecordedAnswer, revision: string): Introduction | undefined {
  const result = handshakeResult(answer);
  const versions = memberAt(result, "supportedVersions");
  return Array.isArray(versions) && versions.includes(revision) ? readIntroduction(result, revision) : undefined;
}

function readIntroduction(result: JsonObject | undefined, negotiated: string): Introduction {
  const meta = objectAt(result, "_meta");
  const info = objectAt(result, "serverInfo") ?? objectAt(meta, SERVER_INFO_KEY);
  return {
    negotiated,
    server: { name: stringAt(info, "name") ?? "", version: stringAt(info, "version") ?? "" },
    capabilities: objectAt(result, "capabilities") ?? {},
  };
}

/** Why a conversation could not be opened, in one sentence. */
function whyNoHandshake(method: string, answer: RecordedAnswer): string {
  switch (answer.kind) {
    case "message": {
      const error = objectAt(answer.message, "error");
      if (error === undefined) return `The answer to ${method} does not name a version.`;
      const text = stringAt(error, "message") ?? "";
      return `${method} was answered with the error ${JSON.stringify(memberAt(error, "code"))}: ${text.slice(0, 200)}`;
    }
    case "body":
      return `${method} was answered with HTTP ${answer.http?.status ?? 0} and no JSON-RPC message.`;
    case "silent":
      return `${method} was not answered within ${Math.round(answer.ms / 1_000)} seconds.`;
    case "closed":
      if (answer.exitCode === null && answer.signal === null) return "The program could not be started.";
      return answer.exitCode === undefined
        ? `The connection was closed before ${method} was answered.`
        : `The program ended (${answer.signal ?? `exit code ${answer.exitCode}`}) before ${method} was answered.`;
    case "inconclusive":
      return answer.because;
    default:
      return answer satisfies never;
  }
}
