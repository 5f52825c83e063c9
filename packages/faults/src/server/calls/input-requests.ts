import type { Fault } from "../../fault/fault.ts";
import { isObject, memberAt, objectAt, stringAt } from "../../json/read.ts";
import { failed as elicitation_failed } from "../../reasons/library/elicitation.ts";
import { missing_client_capability } from "../../reasons/library/protocol.ts";
import { failed as sampling_failed } from "../../reasons/library/sampling.ts";
import { signalOf } from "../../sdk/context.ts";
import type { SdkProtocol } from "../../sdk/server.ts";

// A tool may answer with requests for input. For clients that do not know such answers the SDK sends the requests itself,
// and where that fails it makes a result of the failure that has a text and nothing else.

/** The capability that a client needs for each kind of request. */
const CAPABILITY = {
  "sampling/createMessage": "sampling",
  "elicitation/create": "elicitation",
  "roots/list": "roots",
} as const;

type InputMethod = keyof typeof CAPABILITY;

/** Each request has a signal of its own, however often the SDK copies the rest of its context. */
const pending = new WeakMap<AbortSignal, readonly InputMethod[]>();

/** Remembers the input that the result of a tool asks for, or that it asks for none. */
export function rememberInputRequests(result: unknown, context: unknown): void {
  const signal = signalOf(context);
  if (signal === undefined) return;
  if (memberAt(result, "resultType") === "input_required") pending.set(signal, inputMethodsIn(result));
  else pending.delete(signal);
}

function inputMethodsIn(result: unknown): InputMethod[] {
  const requests = Object.values(objectAt(result, "inputRequests") ?? {});
  const methods = requests.map((request) => stringAt(request, "method") ?? "");
  return methods.filter((method): method is InputMethod => Object.hasOwn(CAPABILITY, method));
}

/** The fault of a call that failed while it waited for input; undefined for any other. */
export function inputFailure(result: unknown, context: unknown, protocol: SdkProtocol): Fault | undefined {
  const signal = signalOf(context);
  const methods = signal === undefined ? undefined : pending.get(signal);
  if (methods === undefined || memberAt(result, "isError") !== true) return undefined;
  const declared = protocol.getClientCapabilities?.();
  const missing = methods.map((method) => CAPABILITY[method]).filter((name) => !isObject(memberAt(declared, name)));
  if (missing.length > 0) return missing_client_capability.fault({ capabilities: [...new Set(missing)] });
  return (methods.includes("sampling/createMessage") ? sampling_failed : elicitation_failed).fault();
}
