import type { Fault, Issue, RetryWord } from "../../fault/fault.ts";
import type { Leak } from "../corpus/leaks.ts";
import { validIssues, validRetryWord } from "./details.ts";
import { type Arbitrary, combinatorsOf, type FastCheck } from "./fast-check.ts";
import { anyFault, type FaultOptions } from "./faults.ts";
import { anyGarbage } from "./garbage.ts";
import { anyOutcome, type Outcome } from "./outcomes.ts";
import { anyLeakyText, anySecret } from "./secrets.ts";
import { anyFailure, type ErrorResult, type Failure, type HttpFailure, type RpcFailure } from "./wires.ts";

/** Arbitraries for property tests of whatever meets failures. */
export interface Generators {
  /** Any valid fault, or any of one kind: of the library's reasons and ad hoc, some stamped, some with causes. */
  fault(options?: FaultOptions): Arbitrary<Fault>;
  /** A failed tool result in any dialect, with the fault that is meant. */
  isErrorResult(options?: FaultOptions): Arbitrary<Failure<ErrorResult>>;
  /** A JSON-RPC error object in any dialect, with the fault that is meant. */
  jsonRpcError(options?: FaultOptions): Arbitrary<Failure<RpcFailure>>;
  /** An HTTP reply in any dialect, with the fault that is meant. */
  httpFailure(options?: FaultOptions): Arbitrary<Failure<HttpFailure>>;
  /** How a call may end: a success, or a failure in any form and dialect. */
  outcome(options?: FaultOptions): Arbitrary<Outcome>;
  /** What a peer may send although it should not: any JSON, replies with one member changed, replies cut short. */
  garbage(): Arbitrary<unknown>;
  /** A key, token or password. */
  secret(): Arbitrary<string>;
  /** A text from behind the boundary, with its canaries for `expectNoLeak`. */
  leakyText(): Arbitrary<Leak>;
  /** Problems with arguments, at least one. */
  issues(): Arbitrary<readonly Issue[]>;
  /** A peer's word on repeating. */
  retryWord(): Arbitrary<RetryWord>;
}

/** Makes the arbitraries with your own fast-check, version 4; this package does not import it. */
export function generators(fastCheck: FastCheck): Generators {
  const fc = combinatorsOf(fastCheck);
  return {
    fault: (options) => anyFault(fc, options),
    isErrorResult: (options) => anyFailure(fc, anyFault(fc, options), "result"),
    jsonRpcError: (options) => anyFailure(fc, anyFault(fc, options), "error"),
    httpFailure: (options) => anyFailure(fc, anyFault(fc, options), "reply"),
    outcome: (options) => anyOutcome(fc, anyFault(fc, options)),
    garbage: () => anyGarbage(fc, anyOutcome(fc, anyFault(fc))),
    secret: () => anySecret(fc),
    leakyText: () => anyLeakyText(fc),
    issues: () => validIssues(fc),
    retryWord: () => validRetryWord(fc),
  };
}
