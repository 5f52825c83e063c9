// Retries: whether, when and how often a failed call is made again.

export type { Clock, Random, TestingOptions } from "../wire/clock.ts";
export type {
  AttemptEvidence,
  AttemptResponse,
  BreakerMoment,
  BreakerOptions,
  BreakerPermit,
  BreakerRefusal,
  BreakerRules,
  BreakerSignal,
  BreakerSignals,
  BreakerState,
} from "./breaker.ts";
export {
  breakerSignals,
  CLOSED_BREAKER,
  isFullWait,
  LostCalls,
  NO_SIGNALS,
  readAttemptResponse,
  recordSignal,
  requestPermit,
  SUCCESS_SIGNALS,
  toBreakerRules,
} from "./breaker.ts";
export type { Attempt, AttemptFailure, AttemptInfo, DecisionRecord, FailureEvidence, RetryCall } from "./call.ts";
export { createRetryEngine } from "./create-retry-engine.ts";
export type {
  Decision,
  Reauthorized,
  RepeatDecision,
  RetrySituation,
  Spent,
  StopDecision,
  StopReason,
} from "./decide.ts";
export { decide } from "./decide.ts";
export type { RetryEngine, RetryEngineOptions, RetryEngineStatus } from "./engine.ts";
export type { LoopGuard } from "./loop-guard.ts";
export { createLoopGuard, fingerprint } from "./loop-guard.ts";
export type { OutageOptions } from "./outage.ts";
export { Outage } from "./outage.ts";
export type { BudgetOptions, RetryPolicy } from "./policy.ts";
