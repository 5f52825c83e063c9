import type { JsonObject } from "@recourse/core/wire";
import type { Span } from "./json-bytes.ts";
import type { MemberSpan } from "./json-scanner.ts";

/** Where the parts of a message stand in its bytes. */
export interface Spans {
  readonly id: Span | undefined;
  readonly params: Span | undefined;
  /** The value of `params.name`, `params.uri` or `params.taskId`, whichever the method takes; for a completion, that of `params.ref`. */
  readonly target: Span | undefined;
  readonly arguments: Span | undefined;
  readonly meta: Span | undefined;
  /** The members of `params`, in the order in which they were sent. @default none */
  readonly paramMembers?: readonly MemberSpan[];
  /** The members of `params.inputResponses`, in the order in which they were sent. @default none */
  readonly responses?: readonly MemberSpan[];
  /** The members of `params._meta`, in the order in which they were sent. @default none */
  readonly metaMembers?: readonly MemberSpan[];
}

/** A JSON-RPC request or notification: parsed once, and kept as the bytes that were sent. */
export interface RequestMessage {
  readonly method: string;
  /** Undefined for a notification. */
  readonly id: string | number | undefined;
  readonly params: JsonObject | undefined;
  readonly meta: JsonObject | undefined;
  readonly bytes: Buffer;
  readonly spans: Spans;
}

/**
 * The members of the params of each method that is routed to an upstream. Nothing else that a caller writes there reaches it,
 * but `_meta` and the answers of a round, which have rules of their own.
 */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  // A task is asked for only if the upstream supports tasks.
  "tools/call": ["name", "arguments", "task"],
  "prompts/get": ["name", "arguments"],
  "resources/read": ["uri"],
  "completion/complete": ["ref", "argument", "context"],
  "tasks/get": ["taskId"],
  "tasks/result": ["taskId"],
  "tasks/cancel": ["taskId"],
  "tasks/update": ["taskId", "inputResponses"],
};

/** Whether a method has a member of this name in its params. */
export function isKnownParam(method: string, name: string): boolean {
  return Object.hasOwn(KNOWN, method) && KNOWN[method]?.includes(name) === true;
}
