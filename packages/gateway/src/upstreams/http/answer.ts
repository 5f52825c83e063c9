import type { Fault } from "@recourse/faults";
import { type Envelope, findEnvelope } from "../json-spans.ts";
import { isSameId } from "../message.ts";
import { type AnswerHeaders, contentType, type Ended } from "./exchange.ts";
import { invalidAnswer, redirectFault } from "./faults.ts";

/** An answer of the protocol, or a failure that says what it is by its status. */
export interface HttpAnswer {
  readonly kind: "answer";
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: Buffer;
  /** Set where the body is a response to this very message. */
  readonly envelope: Envelope | undefined;
}

/** There is no answer that can be used. */
export interface HttpFailed {
  readonly kind: "failed";
  readonly fault: Fault;
  readonly cause: unknown;
  /** The message was sent, and its answer was not waited for: the upstream may be working on it. */
  readonly isAbandoned: boolean;
}

/** Reads an HTTP answer to the message with an id, as JSON; undefined for a notification. */
export function readAnswer(
  ended: Extract<Ended, { how: "answered" }>,
  id: string | undefined,
): HttpAnswer | HttpFailed {
  const { status, headers, body } = ended;
  if (status >= 300 && status < 400) {
    const cause = new Error(`a redirect, HTTP status ${status}`);
    return { kind: "failed", fault: redirectFault(status), cause, isAbandoned: false };
  }
  if (id === undefined) return { kind: "answer", status, headers, body, envelope: undefined };
  const coding = headers["content-encoding"];
  if (coding !== undefined && coding !== "identity") return invalid(`content encoding ${coding} was not asked for`);
  const envelope = responseIn(body, id);
  if (status >= 300) return { kind: "answer", status, headers, body, envelope };
  if (!ended.isEvent && (status === 202 || body.length === 0))
    return invalid(`HTTP status ${status} without an answer`);
  if (!ended.isEvent && contentType(headers) !== "application/json") {
    return invalid(`an answer of type ${contentType(headers) || "unknown"}`);
  }
  if (envelope === undefined) return invalid("the body is not a response to this message");
  return { kind: "answer", status, headers, body, envelope };
}

/** The envelope of a response to a message; an error without an id is one too, since it came in the answer to it. */
function responseIn(body: Buffer, id: string): Envelope | undefined {
  const envelope = findEnvelope(body);
  if (envelope === undefined || envelope.method !== undefined) return undefined;
  if ((envelope.result === undefined) === (envelope.error === undefined)) return undefined;
  if (envelope.id !== undefined && isSameId(body, envelope.id, id)) return envelope;
  const isUnnamed = envelope.id === undefined || body.toString("latin1", envelope.id.start, envelope.id.end) === "null";
  return isUnnamed && envelope.error !== undefined ? envelope : undefined;
}

function invalid(cause: string): HttpFailed {
  return { kind: "failed", fault: invalidAnswer(), cause: new Error(cause), isAbandoned: false };
}
