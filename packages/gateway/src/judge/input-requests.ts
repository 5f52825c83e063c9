import { hasInputRequired, isObject, type JsonObject, objectAt, parseJson, stringAt } from "@recourse/core/wire";
import { type Abilities, canAnswer } from "../call/abilities.ts";
import type { Call, CallOrigin } from "../call/call.ts";
import { membersOf, type Span, skipSpace } from "../call/json-bytes.ts";
import type { ServerRequest } from "../call/server-request.ts";

/** A question in a result that asks for input. */
export interface InputRequest extends ServerRequest {
  /** The name that its answer has. */
  readonly name: string;
}

/** What a result asks for. */
export interface InputRequests {
  readonly requests: readonly InputRequest[];
  /** The state that the upstream wants back; undefined if it gave none. */
  readonly state: string | undefined;
}

/** What decides whether a caller can be given a result that asks for input. */
export type InputTaker = Pick<Call, "revision" | "abilities"> & { readonly origin: Pick<CallOrigin, "canAsk"> };

/**
 * Whether the caller knows results that ask for input, or can be asked on its stream all that is in this one. A result with
 * nothing but a state only wants to be asked again, which the gateway can do for any caller.
 */
export function takesInput({ revision, abilities, origin }: InputTaker, result: JsonObject): boolean {
  if (hasInputRequired(revision)) return true;
  const asked = Object.values(objectAt(result, "inputRequests") ?? {});
  if (asked.length === 0) return stringAt(result, "requestState") !== undefined;
  return (
    origin.canAsk === true && asked.length <= MAX_INPUT_REQUESTS && asked.every((one) => canAnswerOne(abilities, one))
  );
}

/** The most questions of one result. */
const MAX_INPUT_REQUESTS = 32;

function canAnswerOne(abilities: Abilities, asked: unknown): boolean {
  const params = isObject(asked) ? (asked["params"] ?? {}) : undefined;
  return isObject(params) && canAnswer(abilities, stringAt(asked, "method") ?? "", params);
}

/**
 * The questions in a JSON-RPC response that asks for input, each as the bytes that came; undefined if they cannot be
 * separated with certainty.
 */
export function findInputRequests(response: Buffer): InputRequests | undefined {
  const inside = (span: Span | undefined) => span && membersOf(response, span.start);
  const text = (span: Span | undefined) => {
    // Answers are bounded, and a state that is not given back would be lost.
    const value = span && parseJson(response.toString("utf8", span.start, span.end), Number.POSITIVE_INFINITY);
    return typeof value === "string" ? value : undefined;
  };
  const result = inside(membersOf(response, skipSpace(response, 0))?.get("result"));
  const asked = result?.has("inputRequests") === true ? inside(result.get("inputRequests")) : new Map<string, Span>();
  if (result === undefined || asked === undefined) return undefined;
  const requests: InputRequest[] = [];
  for (const [name, span] of asked) {
    const members = inside(span);
    const method = text(members?.get("method"));
    const params = members?.get("params");
    if (method === undefined) return undefined;
    requests.push({ name, method, params: params && response.subarray(params.start, params.end) });
  }
  return { requests, state: text(result.get("requestState")) };
}
