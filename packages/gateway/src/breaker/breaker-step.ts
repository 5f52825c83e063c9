import { type Fault, knownKind } from "@recourse/core";
import { core, rest, task, transport } from "@recourse/core/reasons";
import {
  type AttemptResponse,
  type BreakerSignals,
  breakerSignals,
  isFullWait,
  LostCalls,
  NO_SIGNALS,
  readAttemptResponse,
  SUCCESS_SIGNALS,
} from "@recourse/core/retry";
import type { Call, Step, UpstreamRoute } from "../call/call.ts";
import { inBackground, type UnexpectedObserver } from "../call/observer.ts";
import type { UpstreamReply } from "../call/upstream.ts";
import { isOurs } from "../judge/relay.ts";
import { isTokenFault } from "../upstreams/credentials/token-faults.ts";
import type { BreakerAnswer, BreakerScope, Breakers, BreakerTicket } from "./breakers.ts";

interface AskBreakerParts {
  readonly breakers: Breakers | undefined;
  /** What a reply means that came after the answer of its call. */
  readonly judgeLate: (call: Call, reply: UpstreamReply) => Fault | undefined;
  readonly observer: UnexpectedObserver;
  readonly now: () => number;
}

/** The passes of one call. */
interface CallTickets {
  readonly upstream: BreakerTicket;
  /** Undefined for what is not a call of a tool. */
  readonly tool: BreakerTicket | undefined;
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

  const tellLater = (call: Call, route: UpstreamRoute, passes: CallTickets) => {
    const { name, timeoutMs } = route.upstream.options;
    const scope = toolScope(route);
    const sentMs = now();
    const isProbe = passes.upstream.probe !== undefined;
    call.isProbe = isProbe || passes.tool?.probe !== undefined;
    const tell = (of: Pick<Call, "reply" | "judged">, sent: Fault | undefined) => {
      const target = scope?.tool ?? call.message?.method ?? "";
      const { lacksAnswer } = call;
      const ended = {
        lacksAnswer,
        sent,
        waitedMs: now() - sentMs - call.waitedMs,
        timeoutMs,
        target,
        lost: lostOf(name),
        isProbe,
      };
      const { server, tool } = endedCallSignals(of, ended);
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

  const askUpstream = (call: Call, route: UpstreamRoute, tool: BreakerTicket | undefined) => {
    const { name, timeoutMs } = route.upstream.options;
    const accept = (answer: BreakerAnswer): Fault | undefined => {
      if (answer.go) return tellLater(call, route, { upstream: answer.pass, tool });
      const scope = toolScope(route);
      if (scope !== undefined && tool !== undefined) breakers.tell(scope, tool, "ignored");
      return refuseHeldBack(call, answer.afterMs);
    };
    return settled(breakers.ask({ upstream: name }, timeoutMs), accept);
  };

  return (call) => {
    const { route, id } = call;
    // Notifications have no answer that could be reported.
    if (route?.kind !== "upstream" || id === undefined) return undefined;
    const scope = toolScope(route);
    if (scope === undefined) return askUpstream(call, route, undefined);
    // The tool comes first, so that one that is held back takes no probe of its upstream.
    return settled(breakers.ask(scope, route.upstream.options.timeoutMs), (answer) =>
      answer.go ? askUpstream(call, route, answer.pass) : refuseHeldBack(call, answer.afterMs, route.tool?.name),
    );
  };
}

function toolScope({ upstream, tool, target }: UpstreamRoute): BreakerScope | undefined {
  return tool === undefined || target === undefined ? undefined : { upstream: upstream.options.name, tool: target };
}

/** Continues with a value that may be there already. */
function settled<A, B>(value: A | Promise<A>, next: (value: A) => B | Promise<B>): B | Promise<B> {
  return value instanceof Promise ? value.then(next) : next(value);
}

function refuseHeldBack(call: Call, afterMs: number, tool?: string): Fault | undefined {
  const params = tool === undefined ? {} : { tool };
  const fault = transport.breaker_open.fault(params, { retry: { allowed: true, afterMs } });
  // A bound call may have been served already: what is stored is given all the same.
  if (call.binding === undefined) return fault;
  call.refusal = fault;
  return undefined;
}

export interface EndedCall {
  /** The fault that its caller got. */
  readonly sent: Fault | undefined;
  /** How long it took since the circuit breaker let it through. */
  readonly waitedMs: number;
  readonly timeoutMs: number;
  readonly target: string;
  /** Whose calls were lost since the upstream last answered. */
  readonly lost: LostCalls;
  /** The call finds out whether the upstream works again. */
  readonly isProbe: boolean;
  /** The caller was asked something and did not answer, so its call may have failed for that. @default false */
  readonly lacksAnswer?: boolean;
}

/**
 * The credential of the gateway is refused. An upstream that refuses it works, and callers have to learn the true
 * reason.
 */
const REFUSING_KINDS: readonly string[] = [rest.upstream_auth.id, rest.upstream_forbidden.id];

/** What the gateway met itself; any other reason stands for an answer. */
const RESPONSE_BY_REASON: Readonly<Record<string, AttemptResponse>> = {
  [transport.unreachable.id]: "unreached",
  [core.misconfigured.id]: "unreached",
  [core.unavailable.id]: "lost",
  [transport.connection_lost.id]: "lost",
  [transport.exited.id]: "lost",
  [transport.failed.id]: "lost",
  [transport.not_sent.id]: "silence",
  [core.timeout.id]: "silence",
  [core.cancelled.id]: "silence",
};

export function endedCallSignals({ reply, judged }: Pick<Call, "reply" | "judged">, ended: EndedCall): BreakerSignals {
  if (reply === undefined || (reply.kind === "failed" && reply.isOld === true)) return NO_SIGNALS;
  // The upstream was not asked, and callers with a token are served.
  if (judged !== undefined && isTokenFault(judged)) return NO_SIGNALS;
  // A task may take any time: waiting for it says nothing about its upstream.
  if (judged?.reason === task.timeout.id && isOurs(judged)) return NO_SIGNALS;
  const response = judged === undefined ? "answer" : attemptResponse(reply, judged);
  const severalLost = ended.lost.note(ended.target, response) || ended.isProbe;
  // A success that could not be passed on is a failure of the gateway.
  if (judged === undefined) return ended.sent === undefined ? SUCCESS_SIGNALS : NO_SIGNALS;
  if (REFUSING_KINDS.includes(judged.reason)) return SUCCESS_SIGNALS;
  // Callers must not be able to stop the calls of others by saying nothing.
  if (ended.lacksAnswer === true && reply.kind === "answer") return NO_SIGNALS;
  // The gateway itself had no room.
  if (knownKind(judged) === "overloaded" && judged.origin.layer === "gateway" && isOurs(judged)) return NO_SIGNALS;
  // Callers choose their deadline: a short one must not stop the calls of others.
  return breakerSignals(judged, { response, waitedFully: isFullWait(ended.waitedMs, ended.timeoutMs), severalLost });
}

function attemptResponse(reply: UpstreamReply, judged: Fault): AttemptResponse {
  if (reply.kind === "answer") return readAttemptResponse(judged, reply.status);
  return RESPONSE_BY_REASON[judged.reason] ?? "answer";
}
