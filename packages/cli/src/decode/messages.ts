import { arrayAt, isObject, type JsonObject, memberAt, objectAt, stringAt } from "@recourse/faults/internal-do-not-use";
import { FORMAT } from "../recording/recording.ts";

/** One message of a log. */
export interface Message {
  readonly body: JsonObject;
  /** The HTTP status and headers that it came with. */
  readonly http?: { readonly status: number; readonly headers: JsonObject };
  /** Where it was sent to, if the log tells it. */
  readonly tool?: string;
  /** Keeps ids of one conversation apart from those of another. */
  readonly conversation?: string;
}

/** Objects of loggers hold the message in a member, or in a member of a member. */
const MAX_DEPTH = 3;

/** The messages in a JSON value: itself, the items of a batch, what a recording holds, or what a logger put around it. */
export function* messagesIn(value: unknown, depth = 0): Generator<Message> {
  if (Array.isArray(value)) {
    // Lists in lists are no messages, and thousands of them would exhaust the stack.
    if (depth < MAX_DEPTH) for (const item of value) yield* messagesIn(item, depth + 1);
    return;
  }
  if (!isObject(value)) return;
  if (value["format"] === FORMAT) yield* recorded(value);
  else if (isMessage(value)) yield httpOf(value) ?? { body: value };
  else if (depth < MAX_DEPTH) for (const member of Object.values(value)) yield* messagesIn(unpacked(member), depth + 1);
}

function isMessage(value: JsonObject): boolean {
  if ("jsonrpc" in value) return true;
  if (typeof value["isError"] === "boolean" && Array.isArray(value["content"])) return true;
  const isError = typeof memberAt(objectAt(value, "error"), "code") === "number";
  return isError || httpOf(value) !== undefined;
}

/** `{ status, headers, body }`, as tools that record HTTP write it. */
function httpOf(value: JsonObject): Message | undefined {
  const { status, body } = value;
  if (typeof status !== "number" || !("body" in value)) return undefined;
  const inner = typeof body === "string" ? unpacked(body) : body;
  return {
    body: isObject(inner) ? inner : { text: inner },
    http: { status, headers: objectAt(value, "headers") ?? {} },
  };
}

/** A text that holds JSON, as its value. */
function unpacked(member: unknown): unknown {
  if (typeof member !== "string" || !member.includes('"jsonrpc"')) return member;
  try {
    return JSON.parse(member);
  } catch {
    return undefined;
  }
}

function* recorded(recording: JsonObject): Generator<Message> {
  for (const era of arrayAt(recording, "eras")) {
    for (const exchange of arrayAt(era, "exchanges")) {
      const tool = stringAt(exchange, "tool");
      const at = { conversation: stringAt(exchange, "id") ?? "", ...(tool === undefined ? {} : { tool }) };
      const sent = objectAt(objectAt(exchange, "sent"), "message");
      if (sent !== undefined) yield { body: sent, ...at };
      const answer = objectAt(exchange, "answer");
      const body = objectAt(answer, "message") ?? { text: stringAt(answer, "text") ?? "" };
      const http = objectAt(answer, "http");
      const status = memberAt(http, "status");
      const isAnswer = stringAt(answer, "kind") === "message" || stringAt(answer, "kind") === "body";
      if (!isAnswer) continue;
      yield typeof status === "number"
        ? { body, ...at, http: { status, headers: objectAt(http, "headers") ?? {} } }
        : { body, ...at };
    }
  }
}
