import type { Fault, Issue, RetryAdvice, Stamps } from "@recourse/faults";
import type { Leak } from "./corpus.ts";
import { type Arbitrary, type FastCheck, toCombinators } from "./generators/fast-check.ts";
import {
  anyCall,
  anyFault,
  anyStamps,
  type FaultOptions,
  type ReasonCall,
  type ReasonCallOptions,
  validIssues,
  validRetryAdvice,
} from "./generators/faults.ts";
import {
  anyFailure,
  anyGarbage,
  anyJson,
  anyOutcome,
  type ErrorResult,
  type GeneratedFailure,
  type GeneratedOutcome,
  type HttpFailure,
  type RpcFailure,
} from "./generators/replies.ts";
import { anyLeakyText, anySecret, anySecretText, anyText } from "./generators/text.ts";

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
  /** Any JSON value, also deeply nested. */
  json(): Arbitrary<unknown>;
  /** Any text: words, Unicode, lone surrogates, controls, invisible characters, long text. */
  text(): Arbitrary<string>;
  /** A key, token or password. */
  secret(): Arbitrary<string>;
  /** A secret of one line that no pattern recognises, so it has to be registered with `registerSecrets`. */
  unknownSecret(): Arbitrary<string>;
  /** A text that contains internal data, with its canaries for `expectNoLeak`. */
  leakyText(): Arbitrary<Leak>;
  /** Issues with the arguments of a call, at least one. */
  issues(): Arbitrary<readonly Issue[]>;
  /** The advice of a server on retrying. */
  retryAdvice(): Arbitrary<RetryAdvice>;
  /** The stamps of a fault, valid and invalid. */
  stamps(): Arbitrary<Stamps>;
  /** A reason with the arguments to build a fault of it. Most values fit their slots, some do not, and any may be missing. */
  reasonCall(options?: ReasonCallOptions): Arbitrary<ReasonCall>;
}

/**
 * Creates arbitraries with your own fast-check, version 4. This package does not import it.
 *
 * @example
 * ```ts
 * import fc from "fast-check";
 * import { render, toFault } from "@recourse/faults";
 * import { expectNoLeak, generators } from "@recourse/testing";
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
  const fc = toCombinators(fastCheck);
  return {
    fault: (options) => anyFault(fc, options),
    isErrorResult: (options) => anyFailure(fc, anyFault(fc, options), "result"),
    jsonRpcError: (options) => anyFailure(fc, anyFault(fc, options), "error"),
    httpFailure: (options) => anyFailure(fc, anyFault(fc, options), "reply"),
    outcome: (options) => anyOutcome(fc, anyFault(fc, options)),
    garbage: () => anyGarbage(fc, anyOutcome(fc, anyFault(fc))),
    json: () => anyJson(fc),
    text: () => anyText(fc),
    secret: () => anySecret(fc),
    unknownSecret: () => anySecretText(fc),
    leakyText: () => anyLeakyText(fc),
    issues: () => validIssues(fc),
    retryAdvice: () => validRetryAdvice(fc),
    stamps: () => anyStamps(fc),
    reasonCall: (options) => anyCall(fc, options),
  };
}
