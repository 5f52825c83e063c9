import type { Authenticator } from "../../auth/authenticator.ts";
import type { Step } from "../step.ts";

/** Finds out who calls, from the headers alone: a caller without credentials costs no body. */
export function authenticate(authenticator: Authenticator): Step {
  return (call) => {
    const found = authenticator(call.origin.head);
    if (found instanceof Promise) return found.then((outcome) => accept(call, outcome));
    return accept(call, found);
  };
}

function accept(call: Parameters<Step>[0], found: Awaited<ReturnType<Authenticator>>) {
  if ("kind" in found) return found;
  call.caller = found;
  return undefined;
}
