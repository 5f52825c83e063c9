import { type Fault, transport } from "@recourse/faults";
import { LostCalls } from "@recourse/faults/internal-do-not-use";
import type { BreakerAnswer, BreakerPass, BreakerScope, Breakers } from "../../breaker/breakers.ts";
import type { Route } from "../../catalog/route.ts";
import { signalsOf } from "../../judge/breaker-signal.ts";
import { inBackground, type UnexpectedObserver } from "../../telemetry/unexpected.ts";
import type { UpstreamReply } from "../../upstreams/upstream.ts";
import type { Call } from "../call.ts";
import type { Step } from "../step.ts";

/** What the step needs. */
export interface AskBreakerParts {
  readonly breakers: Breakers | undefined;
  /** What a reply means that came after the answer of its call. */
  readonly judgeLate: (call: Call, reply: UpstreamReply) => Fault | undefined;
  readonly observer: UnexpectedObserver;
  /** Monotonic clock, in ms. */
  readonly now: () => number;
}

type UpstreamRoute = Extract<Route, { readonly kind: "upstream" }>;

/** The passes of one call. */
interface Passes {
  readonly upstream: BreakerPass;
  /** Undefined for what is not a call of a tool. */
  readonly tool: BreakerPass | undefined;
}

/** Asks the circuit breakers of the tool and of its upstream, and tells them afterwards what came of the call. */
export function askBreaker({ breakers, judgeLate, observer, now }: AskBreakerParts): Step {
  if (breakers === undefined) return () => undefined;
  const lostCalls = new Map<string, LostCalls>();
  const lostOf = (upstream: string): LostCalls => {
    const lost = lostCalls.get(upstream) ?? new LostCalls();
    lostCalls.set(upstream, lost);
    return lost;
  };

  const tellLater = (call: Call, route: UpstreamRoute, passes: Passes) => {
    const { name, timeoutMs } = route.upstream.options;
    const scope = scopeOfTool(route);
    const sentMs = now();
    const isProbe = passes.upstream.probe !== undefined;
    call.isProbe = isProbe || passes.tool?.probe !== undefined;
    const tell = (of: Pick<Call, "reply" | "judged">, sent: Fault | undefined) => {
      const target = scope?.tool ?? call.message?.method ?? "";
      const ended = { sent, waitedMs: now() - sentMs, timeoutMs, target, lost: lostOf(name), isProbe };
      const { server, tool } = signalsOf(of, ended);
      breakers.tell({ upstream: name }, passes.upstream, server);
      if (scope !== undefined && passes.tool !== undefined) breakers.tell(scope, passes.tool, tool);
    };
    call.afterwards ??= [];
    call.afterwards.push((sent) => {
      // What a probe was sent for comes after its caller has left.
      if (call.late === undefined) {
        tell(call, sent);
        return;
      }
      const told = call.late.then((reply) => tell({ reply, judged: judgeLate(call, reply) }, undefined));
      inBackground("late answer", observer, told);
    });
    return undefined;
  };

  const askUpstream = (call: Call, route: UpstreamRoute, tool: BreakerPass | undefined) => {
    const { name, timeoutMs } = route.upstream.options;
    const accept = (answer: BreakerAnswer): Fault | undefined => {
      if (answer.go) return tellLater(call, route, { upstream: answer.pass, tool });
      const scope = scopeOfTool(route);
      if (scope !== undefined && tool !== undefined) breakers.tell(scope, tool, "ignored");
      return refuse(call, answer.afterMs);
    };
    return settled(breakers.ask({ upstream: name }, timeoutMs), accept);
  };

  return (call) => {
    const { route, id } = call;
    // Notifications have no answer that could be told.
    if (route?.kind !== "upstream" || id === undefined) return undefined;
    const scope = scopeOfTool(route);
    if (scope === undefined) return askUpstream(call, route, undefined);
    // The tool comes first, so that one that is held back takes no probe of its upstream.
    return settled(breakers.ask(scope, route.upstream.options.timeoutMs), (answer) =>
      answer.go ? askUpstream(call, route, answer.pass) : refuse(call, answer.afterMs, route.tool?.name),
    );
  };
}

function scopeOfTool({ upstream, tool, target }: UpstreamRoute): BreakerScope | undefined {
  return tool === undefined || target === undefined ? undefined : { upstream: upstream.options.name, tool: target };
}

/** Goes on with a value that may be there already. */
function settled<A, B>(value: A | Promise<A>, next: (value: A) => B | Promise<B>): B | Promise<B> {
  return value instanceof Promise ? value.then(next) : next(value);
}

function refuse(call: Call, afterMs: number, tool?: string): Fault | undefined {
  const params = tool === undefined ? {} : { tool };
  const fault = transport.breaker_open.fault(params, { retry: { allowed: true, afterMs } });
  // A bound call may have been served already: what is stored is given all the same.
  if (call.bound === undefined) return fault;
  call.refusal = fault;
  return undefined;
}
