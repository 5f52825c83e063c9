import { HTTP_CONNECTIONS } from "./http-connections.ts";
import {
  afterCommit,
  beforeCommit,
  type HttpExchange,
  type HttpMisbehaviour,
  JSON_TYPE,
  sendResponse,
} from "./http-exchange.ts";
import { HTTP_STATUSES } from "./http-statuses.ts";
import { MALFORMED_REPLIES, type MalformedReply } from "./malformed-replies.ts";
import { RECORDED_FAILURES, type RecordedFailure } from "./recorded-failures.ts";

/** Each malformed reply as the body of a response with status 200. */
const malformed = Object.fromEntries(
  Object.entries<MalformedReply>(MALFORMED_REPLIES).map(([name, { description, from }]) => {
    const type = name === "html-200" ? { "content-type": "text/html" } : JSON_TYPE;
    return [name, afterCommit(description, (exchange, reply) => sendResponse(exchange, 200, type, from(reply)))];
  }),
) as Record<keyof typeof MALFORMED_REPLIES, HttpMisbehaviour>;

/** Each recorded failure as the body of a response with status 200. */
const recorded = Object.fromEntries(
  Object.entries<RecordedFailure>(RECORDED_FAILURES).map(([name, { description, wire, ran }]) => {
    const act = (exchange: HttpExchange) =>
      sendResponse(exchange, 200, JSON_TYPE, JSON.stringify({ jsonrpc: "2.0", id: exchange.request.id, ...wire }));
    return [name, ran ? afterCommit(description, act) : beforeCommit(description, act)];
  }),
) as Record<keyof typeof RECORDED_FAILURES, HttpMisbehaviour>;

/** Everything that the peer can do wrong over HTTP, by name. */
export const MISBEHAVIOURS = {
  ...HTTP_CONNECTIONS,
  ...malformed,
  ...HTTP_STATUSES,
  ...recorded,
} as const satisfies Record<string, HttpMisbehaviour>;

/** The name of a misbehaviour over HTTP. */
export type MisbehaviourName = keyof typeof MISBEHAVIOURS;
