// For tests of your own servers and clients: texts that must not reach a caller, texts that must, a check, and generators.

export type { Benign, Leak } from "./corpus.ts";
export { benign, leaks } from "./corpus.ts";
export {
  type DialectLaw,
  type DialectLawOptions,
  dialectLaws,
  type FastCheckRunner,
  type LawRun,
} from "./dialect-laws.ts";
export type { Arbitrary, FastCheck } from "./generators/fast-check.ts";
export type { FaultOptions, ReasonCall, ReasonCallOptions } from "./generators/faults.ts";
export { type Generators, generators } from "./generators.ts";
export {
  type IdempotencyStoreLaw,
  type IdempotencyStoreLawOptions,
  idempotencyStoreLaws,
  type StoreLimits,
} from "./idempotency-store-laws.ts";
export { expectNoLeak, findLeaks } from "./no-leak.ts";
