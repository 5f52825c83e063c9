// Retries: whether, when and how often a failed call is made again. Clock, randomness and sleep are given by the caller.

export type { BreakerOptions, Heard } from "./breaker.ts";
export type { BudgetOptions } from "./budget.ts";
export type { Attempt, AttemptInfo, DecisionRecord, Failed, FailureEvidence, RetryCall } from "./call.ts";
export type { Spent } from "./conclude.ts";
export type { Decision, Reauthorized, RepeatDecision, RetrySituation, StopDecision, StopReason } from "./decide.ts";
export { decide } from "./decide.ts";
export type { RetryEngine, RetryEngineOptions, RetryEngineStatus } from "./engine.ts";
export { createRetryEngine } from "./engine.ts";
export type { LoopGuard, LoopGuardOptions } from "./loop-guard.ts";
export { createLoopGuard, fingerprint } from "./loop-guard.ts";
export type { RetryPolicy } from "./policy.ts";
