import { isJson, memberAt, objectAt, stringAt } from "../../dialects/wire.ts";
import type { Fault } from "../../fault/fault.ts";
import { failed as elicitation_failed } from "../../reasons/library/elicitation.ts";
import { missing_client_capability } from "../../reasons/library/protocol.ts";
import { failed as sampling_failed } from "../../reasons/library/sampling.ts";
import type { PeerProtocol } from "../peer.ts";
import { signalOf } from "../request/request.ts";

// A tool may answer with questions to its client. For clients that do not know such answers the SDK asks them itself, and
// where that comes to nothing it makes a result of the failure, with a text and nothing else.

/** The capability that a client needs for each question. */
const CAPABILITY = {
  "sampling/createMessage": "sampling",
  "elicitation/create": "elicitation",
  "roots/list": "roots",
} as const;

type Question = keyof typeof CAPABILITY;

/** Each request has a signal of its own, however often the SDK copies the rest of its context. */
const open = new WeakMap<AbortSignal, readonly Question[]>();

/** Notes what a tool has asked, or that it asks nothing any more. */
export function noteQuestions(result: unknown, context: unknown): void {
  const signal = signalOf(context);
  if (signal === undefined) return;
  if (memberAt(result, "resultType") === "input_required") open.set(signal, questionsIn(result));
  else open.delete(signal);
}

function questionsIn(result: unknown): Question[] {
  const asked = Object.values(objectAt(result, "inputRequests") ?? {}).map((one) => stringAt(one, "method") ?? "");
  return asked.filter((method): method is Question => Object.hasOwn(CAPABILITY, method));
}

/** The fault of a call that failed while the questions of its tool were open; undefined for any other. */
export function unanswered(result: unknown, context: unknown, protocol: PeerProtocol): Fault | undefined {
  const signal = signalOf(context);
  const questions = signal === undefined ? undefined : open.get(signal);
  if (questions === undefined || memberAt(result, "isError") !== true) return undefined;
  const declared = protocol.getClientCapabilities?.();
  const missing = questions.map((question) => CAPABILITY[question]).filter((name) => !isJson(memberAt(declared, name)));
  if (missing.length > 0) return missing_client_capability.fault({ capabilities: [...new Set(missing)] });
  return (questions.includes("sampling/createMessage") ? sampling_failed : elicitation_failed).fault();
}
