// Repetition: whether, when and how often a failed call is made again. Pure: clock, randomness and sleep are handed in.

export type { BreakerOptions } from "./breaker.ts";
export type { BudgetOptions } from "./budget.ts";
export type { Decision, Renewed, RepeatDecision, Situation, StopDecision, Stopped } from "./decide.ts";
export { decide } from "./decide.ts";
export type { Engine, EngineOptions, EngineStatus } from "./engine.ts";
export { createEngine } from "./engine.ts";
export { fingerprint } from "./fingerprint.ts";
export type { LoopGuard, LoopGuardOptions, Spent } from "./loop-guard.ts";
export { createLoopGuard } from "./loop-guard.ts";
export type { Attempt, AttemptInfo, Call, Done, Entry, Failed } from "./outcome.ts";
export type { Policy } from "./policy.ts";
