import { type Fault, transport } from "@recourse/faults";
import type { BreakerAnswer, Breakers } from "../../breaker/breakers.ts";
import type { Route } from "../../catalog/route.ts";
import { signalOf } from "../../judge/breaker-signal.ts";
import type { Call } from "../call.ts";
import type { Step } from "../step.ts";

type UpstreamRoute = Extract<Route, { readonly kind: "upstream" }>;

/** Asks the circuit breaker of the upstream, and tells it afterwards what came of the call. */
export function askBreaker(breakers: Breakers | undefined, now: () => number): Step {
  if (breakers === undefined) return () => undefined;
  const accept = (call: Call, { upstream }: UpstreamRoute, answer: BreakerAnswer): Fault | undefined => {
    if (!answer.go) return refuse(call, answer.afterMs);
    const { name, timeoutMs } = upstream.options;
    const { pass } = answer;
    const sentMs = now();
    // Other replicas wait for a probe only as long as its upstream has time.
    if (pass.probe !== undefined) call.deadlineMs = Math.min(call.deadlineMs, sentMs + timeoutMs);
    call.afterwards ??= [];
    call.afterwards.push((sent) => {
      breakers.tell(name, pass, signalOf(call, { sent, waitedMs: now() - sentMs, timeoutMs }));
    });
    return undefined;
  };
  return (call) => {
    const { route, id } = call;
    // Notifications have no answer that could be told.
    if (route?.kind !== "upstream" || id === undefined) return undefined;
    const answer = breakers.ask(route.upstream.options);
    return answer instanceof Promise ? answer.then((one) => accept(call, route, one)) : accept(call, route, answer);
  };
}

function refuse(call: Call, afterMs: number): Fault | undefined {
  const fault = transport.breaker_open.fault({}, { retry: { allowed: true, afterMs } });
  // A bound call may have been served already: what is stored is given all the same.
  if (call.bound === undefined) return fault;
  call.refusal = fault;
  return undefined;
}
