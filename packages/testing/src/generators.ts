import type { Fault, Issue, RetryAdvice, Stamps } from "@recourse/core";
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
import { anyJson } from "./generators/json.ts";
import { anyLeakyText, anySecret, anySecretText, anyText } from "./generators/text.ts";

/** Arbitraries for property tests of code that handles failures. */
export interface Generators {
  /** Any valid fault, or any fault of one kind: of the library's reasons and ad hoc, some stamped, some with causes. */
  fault(options?: FaultOptions): Arbitrary<Fault>;
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
 * import { render } from "@recourse/faults";
 * import { toFault } from "@recourse/faults/server";
 * import { expectNoLeak, generators } from "@recourse/testing";
 *
 * const any = generators(fc);
 * await fc.assert(
 *   fc.asyncProperty(any.leakyText(), async ({ text, canaries }) => {
 *     expectNoLeak(render(await toFault(new Error(text)), { for: "model" }), canaries);
 *   }),
 * );
 * ```
 */
export function generators(fastCheck: FastCheck): Generators {
  const fc = toCombinators(fastCheck);
  return {
    fault: (options) => anyFault(fc, options),
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
