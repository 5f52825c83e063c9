// For tests of your own servers and clients: strings that must not cross, strings that must, a check, and generators.

export type { Benign } from "./corpus/benign.ts";
export { benign } from "./corpus/benign.ts";
export type { Leak } from "./corpus/leaks.ts";
export { leaks } from "./corpus/leaks.ts";
export type { Arbitrary, FastCheck } from "./generators/fast-check.ts";
export type { FaultOptions } from "./generators/faults.ts";
export { type Generators, generators } from "./generators/generators.ts";
export type { Outcome, Success, SuccessResult } from "./generators/outcomes.ts";
export type { ErrorResult, Failure, HttpFailure, RpcFailure } from "./generators/wires.ts";
export { expectNoLeak, findLeaks } from "./no-leak.ts";
