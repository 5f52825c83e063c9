import { createCallApprovals } from "../approvals/call-approvals.ts";
import { type Authenticator, authenticateCaller } from "../auth/authenticator.ts";
import { askBreaker } from "../breaker/breaker-step.ts";
import type { CallStepName, Step } from "../call/call.ts";
import type { Observer } from "../call/observer.ts";
import { type Catalog, resolveRoute, serveStream } from "../catalog/catalog.ts";
import type { GatewayConfig } from "../config/types.ts";
import type { Controls } from "../controls.ts";
import type { AddressLimit } from "../edge/address-limit.ts";
import { checkHead } from "../edge/check-head.ts";
import { beginBoundCall } from "../idempotency/begin.ts";
import { checkBinding } from "../idempotency/check-binding.ts";
import { CredentialCutter } from "../judge/credential-cutter.ts";
import { judge, judgeLate } from "../judge/judge-step.ts";
import { countRefused, takeLimits, takeShare } from "../limits/limit-steps.ts";
import type { Limiter } from "../limits/limiter.ts";
import type { Shares } from "../limits/shares.ts";
import type { AskCallerParts } from "../questions/ask-caller.ts";
import { askForInput } from "../questions/ask-for-input.ts";
import { continueHeldCall } from "../questions/held-legs.ts";
import { askOnStream, forAnswers, takeAnswer } from "../questions/open-questions.ts";
import { checkRound, openRound, unlessHeldState, unlessLeg } from "../rounds/round-steps.ts";
import { endSession, findAbilities, findSession } from "../sessions/session-steps.ts";
import type { TaskIds } from "../tasks/task-ids.ts";
import { nameTasks } from "../tasks/task-steps.ts";
import { attemptCall } from "./attempt.ts";
import { readMessage } from "./read-message.ts";

/** What the steps share. */
export interface PipelineParts {
  readonly config: GatewayConfig;
  /** The ids that callers know tasks by. */
  readonly taskIds: TaskIds;
  /** The limit for addresses; undefined if none exists. */
  readonly addresses: AddressLimit | undefined;
  readonly authenticator: Authenticator;
  readonly catalog: Catalog;
  readonly limiter: Limiter;
  /** What the process holds for its callers. */
  readonly shares: Shares;
  readonly controls: Pick<
    Controls,
    "breakers" | "idempotency" | "approvals" | "rounds" | "questions" | "sessions" | "sessionStates" | "held" | "legs"
  >;
  readonly observer: Observer;
  /** Ends what the upstreams hold for a session of a caller, by the key of `upstreamSessionKey`. */
  readonly forgetSession: (key: string) => void;
  /** The gateway as a client of its upstreams, as JSON: `{ name, version }`. */
  readonly clientInfo: string;
  /** Monotonic clock, in ms. */
  readonly now: () => number;
  /** How long after the deadline of its call a claim of a key is late, in ms. @default 5_000 */
  readonly claimGraceMs?: number | undefined;
}

/** How long to wait for callers unless the configuration says otherwise. */
const QUESTIONS_WAIT_MS = 300_000;

/** The steps for each method of HTTP that the endpoint knows. */
export interface StepsByMethod {
  /** A call or a notification. */
  readonly POST: readonly Step[];
  /** A stream of a session. */
  readonly GET: readonly Step[];
  /** The end of a session. */
  readonly DELETE: readonly Step[];
  /** What operators call each of the steps above. */
  readonly names: Readonly<Record<"POST" | "GET" | "DELETE", readonly CallStepName[]>>;
}

/** A step of the pipeline, and what operators call it. */
type NamedStep = readonly [CallStepName, Step];

/** The way of a call through the gateway, in this order. The answer is written after the last step, or after the first fault. */
export function createPipeline(parts: PipelineParts): StepsByMethod {
  const { config, catalog, limiter, shares, controls, observer, clientInfo, now, claimGraceMs } = parts;
  const { breakers, idempotency, rounds, questions, sessions, sessionStates: states } = controls;
  const cutter = new CredentialCutter({ observer, now });
  const approvals = createCallApprovals(config.approvals, controls.approvals);
  const arrival: readonly NamedStep[] = [
    ["head", checkHead(config, parts.addresses)],
    ["authenticate", authenticateCaller(parts.authenticator)],
    ["authenticate", findSession({ sessions, states, count: (step) => countRefused(limiter, step) })],
  ];
  const recheck = stepsOf(arrival.slice(1));
  const waitMs = config.questions?.waitMs ?? QUESTIONS_WAIT_MS;
  const ask: AskCallerParts = {
    askOnStream: askOnStream(questions),
    holdCall: (call, question) => controls.held.ask(call, question),
    cutter,
    waitMs,
    now,
  };
  const attempt = attemptCall({ catalog, observer, cutter, ask, clientInfo, now });
  const judging = judge({ catalog, cutter, filters: shares.filters });
  const calls: readonly NamedStep[] = [
    ...arrival,
    ["message", countRefused(limiter, readMessage(config, shares.memory))],
    ["message", findAbilities],
    ["message", forAnswers(countRefused(limiter, takeAnswer(questions)))],
    ["resolve", countRefused(limiter, resolveRoute(catalog, recheck))],
    ["limits", takeLimits(limiter)],
    ["limits", unlessHeldState(takeShare({ shares, now }))],
    [
      "check",
      checkBinding({
        isIdentified: config.authentication === "required",
        approvals,
      }),
    ],
    ["check", checkRound({ rounds })],
    ["breaker", unlessLeg(askBreaker({ breakers, judgeLate: judgeLate({ catalog }), observer, now }))],
    ["begin", unlessLeg(beginBoundCall({ idempotency, approvals, now, claimGraceMs }))],
    ["attempt", continueHeldCall({ legs: controls.legs, now }, attempt)],
    ["judge", judging],
    // It attempts the call again, and judges it, until the upstream asks for nothing more.
    ["attempt", askForInput({ ask, attempt, judge: judging })],
    ["judge", nameTasks(parts.taskIds)],
    ["judge", openRound({ rounds })],
  ];
  const ending: readonly NamedStep[] = [
    ...arrival,
    ["limits", takeLimits(limiter)],
    ["attempt", endSession({ states, forget: parts.forgetSession })],
  ];
  const streams: readonly NamedStep[] = [...arrival, ["attempt", countRefused(limiter, serveStream(catalog, recheck))]];
  return {
    POST: stepsOf(calls),
    GET: stepsOf(streams),
    DELETE: stepsOf(ending),
    names: { POST: namesOf(calls), GET: namesOf(streams), DELETE: namesOf(ending) },
  };
}

function stepsOf(named: readonly NamedStep[]): readonly Step[] {
  return named.map(([, step]) => step);
}

function namesOf(named: readonly NamedStep[]): readonly CallStepName[] {
  return named.map(([name]) => name);
}
