import type { JsonObject } from "@recourse/faults/internal-do-not-use";
import type { Span } from "../json/skip.ts";

/** A member of an object in the body. */
export interface MemberSpan {
  /** Its name; names with escapes are refused, so this is the text between the quotation marks. */
  readonly name: string;
  /** Where the member begins: at the quotation mark of its name. */
  readonly start: number;
  readonly value: Span;
}

/** Where the parts of a message stand in its bytes. */
export interface Spans {
  readonly id: Span | undefined;
  readonly params: Span | undefined;
  /** The value of `params.name` or `params.uri`, whichever the method takes; for a completion, that of `params.ref`. */
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
