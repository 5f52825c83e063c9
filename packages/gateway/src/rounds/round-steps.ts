import type { Fault } from "@recourse/core";
import { protocol } from "@recourse/core/reasons";
import { CLOSE_OBJECT, hasInputRequired, isObject, memberAt, parseJson, toPointer } from "@recourse/core/wire";
import { APPROVAL_QUESTION } from "../approvals/call-approvals.ts";
import { sha256Hex } from "../call/binding.ts";
import type { Call, Step } from "../call/call.ts";
import { canonicalJson } from "../call/canonical-json.ts";
import { skipSpace, valuesOf } from "../call/json-bytes.ts";
import { withSpans } from "../call/json-edit.ts";
import { isKnownParam, type RequestMessage } from "../call/message.ts";
import { type HeldPlace, isHeldState, type RoundFacts, type Rounds } from "./rounds.ts";

/**
 * Lets answers to a request for input through only if the gateway has passed that request on, for the same call of the
 * same caller. Whatever else a caller writes there would reach the upstream without being part of what was approved, or
 * of what an idempotency key was used for.
 */
export function checkRound({ rounds }: { readonly rounds: Rounds }): Step {
  return (call) => {
    const { message } = call;
    const { requestState, inputResponses } = message?.params ?? {};
    if (requestState === undefined && inputResponses === undefined) return undefined;
    const facts = roundFacts(call);
    if (message === undefined || facts === undefined) return undefined;
    if (inputResponses !== undefined && !isObject(inputResponses)) return roundRefusal("/inputResponses", "an object");
    if (isHeldState(requestState)) return acceptLeg(call, message, rounds.findHeld(facts, requestState));
    // The answers to what a task asked are the matter of the method itself.
    if (isKnownParam(message.method, "inputResponses")) return undefined;
    const responses = collectResponses(message);
    if (requestState === undefined) return responses && roundRefusal("/inputResponses", NOT_OPEN);
    const found = typeof requestState === "string" ? rounds.find(facts, requestState) : undefined;
    if (found === undefined) return roundRefusal("/requestState", NOT_OPEN);
    call.round = { state: found.state, responses };
    return undefined;
  };
}

/** A step before `checkRound` that a leg leaves out. A state that only looks like one of a held call is refused by it. */
export function unlessHeldState(step: Step): Step {
  return (call) => (isHeldState(call.message?.params?.["requestState"]) ? undefined : step(call));
}

/** A step after `checkRound` that a leg leaves out: the held call has taken it. */
export function unlessLeg(step: Step): Step {
  return (call) => (call.leg === undefined ? step(call) : undefined);
}

/** Notes which held call continues, and with which answers. */
function acceptLeg(
  call: Call,
  { params, bytes, spans }: RequestMessage,
  place: HeldPlace | undefined,
): Fault | undefined {
  // A caller that does not support results that ask for input got no such state.
  if (place === undefined || !hasInputRequired(call.revision)) return roundRefusal("/requestState", NOT_OPEN);
  const sent = params?.["inputResponses"];
  const responses = new Map<string, Buffer>();
  for (const { name, value } of spans.responses ?? []) {
    if (!isObject(memberAt(sent, name))) return roundRefusal(toPointer(["inputResponses", name]), "an object");
    // Of repeated members the last one counts.
    responses.set(name, bytes.subarray(value.start, value.end));
  }
  call.leg = { ...place, responses };
  return undefined;
}

/** Signs the state of a call whose upstream asks for input, and frees what the call holds, so that it can go on. */
export function openRound({ rounds }: { readonly rounds: Rounds }): Step {
  return (call) => {
    if (!call.asksForInput || call.answer === undefined) return undefined;
    const facts = roundFacts(call);
    if (facts === undefined) return undefined;
    call.answer = withRequestState(call.answer, (state) => rounds.open(facts, state));
    // The caller may come back at once, and must not find its own call in the way.
    return call.reopen?.().then(() => undefined);
  };
}

/** The canonical text of the params that a method has. A tool that is called without arguments has empty ones. */
export function canonicalParams({ method, bytes, spans }: RequestMessage): string {
  const members = (spans.paramMembers ?? [])
    .filter(({ name }) => isKnownParam(method, name))
    .map(({ start, value }) => bytes.toString("utf8", start, value.end));
  if (method === "tools/call" && spans.arguments === undefined) members.push('"arguments":{}');
  return canonicalJson(`{${members.join()}}`);
}

/**
 * The facts that distinguish the rounds of a call from those of others; undefined for a call that goes to no upstream.
 */
export function roundFacts({ message, route, caller, key }: Call): RoundFacts | undefined {
  if (message === undefined || route?.kind !== "upstream" || caller === undefined) return undefined;
  return {
    caller: caller.id,
    upstream: route.upstream.options.name,
    method: message.method,
    params: () => sha256Hex(canonicalParams(message)),
    key,
  };
}

/** A JSON-RPC response with another `requestState` in its result. `change` gets the one that is there, if it is a text. */
export function withRequestState(response: Buffer, change: (state: string | undefined) => string): Buffer {
  const result = valuesOf(response, skipSpace(response, 0), "result").at(-1);
  if (result === undefined) return response;
  // Of repeated members the last one counts, as it does for `JSON.parse`.
  const known = valuesOf(response, result.start, "requestState");
  const last = known.at(-1);
  // Answers are bounded, and a state that is not given back would be lost.
  const sent = last && parseJson(response.toString("utf8", last.start, last.end), Number.POSITIVE_INFINITY);
  const state = JSON.stringify(change(typeof sent === "string" ? sent : undefined));
  if (known.length > 0) return withSpans(response, known, state);
  const inside = skipSpace(response, result.start + 1);
  const comma = response[inside] === CLOSE_OBJECT ? "" : ",";
  return withSpans(response, [{ start: inside, end: inside }], `"requestState":${state}${comma}`);
}

const NOT_OPEN = "of an input_required that this same call got; otherwise leave inputResponses and requestState out";

function roundRefusal(pointer: string, expected: string): Fault {
  const issues = [{ pointer, rule: "custom", expected }] as const;
  return protocol.request_state_invalid.fault({}, { issues, recourse: [{ do: "fix_input", fields: [pointer] }] });
}

/**
 * The answers as JSON, each as it was written; undefined if there are none. The gateway's own question is taken out.
 */
function collectResponses({ bytes, spans }: RequestMessage): Buffer | undefined {
  const members = (spans.responses ?? []).filter(({ name }) => name !== APPROVAL_QUESTION);
  if (members.length === 0) return undefined;
  const texts = members.map(({ start, value }) => bytes.toString("utf8", start, value.end));
  return Buffer.from(`{${texts.join()}}`);
}
