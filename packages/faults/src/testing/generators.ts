import type { Fault, Issue, RetryAdvice } from "../fault/fault.ts";
import type { Leak } from "./corpus/leaks.ts";
import { validIssues, validRetryAdvice } from "./generators/details.ts";
import { type Arbitrary, combinatorsOf, type FastCheck } from "./generators/fast-check.ts";
import { anyFault, type FaultOptions } from "./generators/faults.ts";
import { anyGarbage } from "./generators/garbage.ts";
import {
  anyFailure,
  anyOutcome,
  type ErrorResult,
  type GeneratedFailure,
  type GeneratedOutcome,
  type HttpFailure,
  type RpcFailure,
} from "./generators/replies.ts";
import { anyLeakyText, anySecret } from "./generators/text.ts";

/** Arbitraries for property tests of code that handles failures. */
export interface Generators {
  /** Any valid fault, or any fault of one kind: of the library's reasons and ad hoc, some stamped, some with causes. */
  fault(options?: FaultOptions): Arbitrary<Fault>;
  /** A failed tool result in any dialect, with the fault that it was encoded from. */
  isErrorResult(options?: FaultOptions): Arbitrary<GeneratedFailure<ErrorResult>>;
  /** A JSON-RPC error object in any dialect, with the fault that it was encoded from. */
  jsonRpcError(options?: FaultOptions): Arbitrary<GeneratedFailure<RpcFailure>>;
  /** An HTTP reply in any dialect, with the fault that it was encoded from. */
  httpFailure(options?: FaultOptions): Arbitrary<GeneratedFailure<HttpFailure>>;
  /** The end of a call: a success, or a failure in any form and dialect. */
  outcome(options?: FaultOptions): Arbitrary<GeneratedOutcome>;
  /** Replies that break the rules: any JSON, replies with one member changed, truncated replies. */
  garbage(): Arbitrary<unknown>;
  /** A key, token or password. */
  secret(): Arbitrary<string>;
  /** A text that contains internal data, with its canaries for `expectNoLeak`. */
  leakyText(): Arbitrary<Leak>;
  /** Issues with the arguments of a call, at least one. */
  issues(): Arbitrary<readonly Issue[]>;
  /** The advice of a server on retrying. */
  retryAdvice(): Arbitrary<RetryAdvice>;
}

/**
 * Creates arbitraries with your own fast-check, version 4. This package does not import it.
 *
 * @example
 * ```ts
 * import fc from "fast-check";
 * import { render, toFault } from "@recourse/faults";
 * import { expectNoLeak, generators } from "@recourse/faults/testing";
 *
 * const any = generators(fc);
 * fc.assert(
 *   fc.property(any.leakyText(), ({ text, canaries }) => {
 *     expectNoLeak(render(toFault(new Error(text)), { for: "model" }), canaries);
 *   }),
 * );
 * ```
 */
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
    retryAdvice: () => validRetryAdvice(fc),
  };
}
