import { amendFault, type Fault } from "@recourse/core";
import { ProxyError } from "@recourse/core/node";
import { readAttemptFailure } from "@recourse/core/proxy";
import { core, protocol, tool, transport } from "@recourse/core/reasons";
import type { UpstreamReply } from "../../call/upstream.ts";
import { type Envelope, FROM_TRANSPORT, findEnvelope, isSameId } from "../message.ts";
import { type AnswerHeaders, contentType, type HttpEnding } from "./exchange.ts";

export interface PostAnswer {
  readonly kind: "answer";
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: Buffer;
  readonly envelope: Envelope | undefined;
}

/** There is no answer that can be used. */
interface PostFailure {
  readonly kind: "failed";
  readonly fault: Fault;
  readonly cause: unknown;
  /** The message was sent, and the gateway stopped waiting for its answer: the upstream may be working on it. */
  readonly isAbandoned: boolean;
  /** An answer came, although it is not valid MCP. @default false */
  readonly hasAnswered?: boolean;
}

export type PostResult = PostAnswer | PostFailure;

/** Longer refusals are not read for what they say about the era or the session. */
export const MAX_REFUSAL_BYTES = 65_536;

/** Reads an HTTP answer to the message with an id, as JSON; undefined for a notification. */
export function readHttpAnswer(ended: Extract<HttpEnding, { how: "answered" }>, id: string | undefined): PostResult {
  const { status, headers, body } = ended;
  if (status >= 300 && status < 400) {
    const cause = new Error(`a redirect, HTTP status ${status}`);
    return { kind: "failed", fault: redirectFault(status), cause, isAbandoned: false, hasAnswered: true };
  }
  if (id === undefined) return { kind: "answer", status, headers, body, envelope: undefined };
  const coding = headers["content-encoding"];
  if (coding !== undefined && coding !== "identity")
    return invalidReply(`content encoding ${coding} was not asked for`);
  const envelope = findResponseEnvelope(body, id, ended.envelope);
  if (status >= 300) return { kind: "answer", status, headers, body, envelope };
  if (!ended.isEvent && (status === 202 || body.length === 0))
    return invalidReply(`HTTP status ${status} without an answer`);
  if (!ended.isEvent && contentType(headers) !== "application/json") {
    return invalidReply(`an answer of type ${contentType(headers) || "unknown"}`);
  }
  if (envelope === undefined) return invalidReply("the body is not a response to this message");
  return { kind: "answer", status, headers, body, envelope };
}

/** The envelope of a response to a message; an error without an id is one too, since it came in the answer to it. */
function findResponseEnvelope(body: Buffer, id: string, known: Envelope | undefined): Envelope | undefined {
  const envelope = known ?? findEnvelope(body);
  if (envelope === undefined || envelope.method !== undefined) return undefined;
  if ((envelope.result === undefined) === (envelope.error === undefined)) return undefined;
  if (envelope.id !== undefined && isSameId(body, envelope.id, id)) return envelope;
  const isUnnamed = envelope.id === undefined || body.toString("latin1", envelope.id.start, envelope.id.end) === "null";
  return isUnnamed && envelope.error !== undefined ? envelope : undefined;
}

/** An answer that is not one of the protocol. The call may have been served. */
function invalidReply(cause: string): PostFailure {
  const fault = protocol.invalid_result.fault({}, FROM_UPSTREAM);
  return { kind: "failed", fault, cause: new Error(cause), isAbandoned: false, hasAnswered: true };
}

/** What came of a message, for the steps after it. */
export function toUpstreamReply(posted: PostResult): UpstreamReply {
  if (posted.kind === "failed") {
    const { fault, cause, hasAnswered } = posted;
    return { kind: "failed", fault, cause, hasAnswered };
  }
  return new AnswerReply(posted.status, posted.headers, posted.body);
}

class AnswerReply {
  readonly kind = "answer";
  readonly status: number;
  readonly body: Buffer;
  readonly #headers: AnswerHeaders;

  constructor(status: number, headers: AnswerHeaders, body: Buffer) {
    this.status = status;
    this.body = body;
    this.#headers = headers;
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }
}

/** A request that ended without an answer. */
type UnansweredEnding = Exclude<HttpEnding, { how: "answered" }>;

interface UnansweredFacts {
  readonly limitMs: number;
  readonly maxAnswerBytes: number;
  readonly isSession: boolean;
}

const FROM_UPSTREAM = { origin: { layer: "upstream" }, effect: "possible" } as const;

/** The fault of a request that ended without an answer, by the rules of the client. Names of hosts stay in the cause. */
export function unansweredFault(ended: UnansweredEnding, facts: UnansweredFacts): Fault {
  const { phase, error } = ended;
  const record = { phase, exchanges: 1, startedMs: 0, error };
  const context = { session: facts.isSession, limitMs: facts.limitMs, record };
  switch (ended.how) {
    case "aborted":
    case "late":
      return readAttemptFailure({ how: ended.how }, context) ?? transport.failed.fault({}, FROM_TRANSPORT);
    case "lost":
      return transport.connection_lost.fault({}, FROM_TRANSPORT);
    case "too_large":
      return tool.result_too_large.fault({ maxSize: facts.maxAnswerBytes }, FROM_UPSTREAM);
    case "over_budget":
      return core.overloaded.fault({}, { origin: { layer: "gateway" }, effect: "possible" });
    case "threw": {
      if (error instanceof ProxyError) return proxyFault(error);
      const fault = readAttemptFailure({ how: "threw", error }, context) ?? transport.failed.fault({}, FROM_TRANSPORT);
      return phase === "connect" ? unsent(fault) : fault;
    }
    default:
      return ended.how satisfies never;
  }
}

/** The proxy opened no connection, so nothing had left. */
function proxyFault({ isMisconfigured }: ProxyError): Fault {
  return isMisconfigured
    ? core.misconfigured.fault({}, { ...FROM_TRANSPORT, effect: "none" })
    : transport.unreachable.fault({}, FROM_TRANSPORT);
}

/** Nothing had left, whatever the error alone would mean. */
function unsent(fault: Fault): Fault {
  if (fault.reason === core.misconfigured.id) return amendFault(fault, { effect: "none" });
  return fault.effect === "none" ? fault : transport.unreachable.fault({}, FROM_TRANSPORT);
}

/** Statuses of a redirect that say that the request was not served at this address. */
const UNSERVED_STATUSES: ReadonlySet<number> = new Set([301, 307, 308]);

/** Redirects are never followed: the credential of the upstream would go elsewhere. */
function redirectFault(status: number): Fault {
  const effect = UNSERVED_STATUSES.has(status) ? "none" : "possible";
  return core.misconfigured.fault({}, { origin: { layer: "upstream" }, effect });
}
