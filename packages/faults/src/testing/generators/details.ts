// What goes along with a reason, good and bad: building a fault has to drop what does not fit.
import type { Details } from "../../fault/build.ts";
import { cleanIssues, cleanRetry } from "../../fault/clean.ts";
import {
  AUTHORS,
  BACKOFFS,
  BASES,
  type Issue,
  LAYERS,
  type Limit,
  type Recourse,
  type RetryWord,
  RULES,
  STOPS,
} from "../../fault/fault.ts";
import { EFFECTS, MOVES } from "../../fault/kinds.ts";
import { type Arbitrary, type Combinators, few, objectWith } from "./fast-check.ts";
import { anyText } from "./text.ts";

const TELLING = [0, -0, 1, 0.5, 999, 1000, 60_000, 86_400_000, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY];

function anyCount(fc: Combinators): Arbitrary<number> {
  return fc.oneof<number>(fc.nat(), fc.constantFrom(...TELLING), fc.double());
}

function anyPointer(fc: Combinators): Arbitrary<string> {
  const text = anyText(fc);
  const keys = fc.array(fc.constantFrom("a", "items", "0", "größe", "a".repeat(64)), { maxLength: 8 });
  return fc.oneof<string>(
    keys.map((path) => path.map((key) => `/${key}`).join("")),
    text,
    text.map((key) => `/${key}`),
  );
}

function anyIssue(fc: Combinators): Arbitrary<Issue> {
  const text = anyText(fc);
  return objectWith<Issue>(fc, ["pointer", "rule"], {
    pointer: anyPointer(fc),
    rule: fc.constantFrom(...RULES),
    expected: text,
    suggestion: text,
  });
}

function anyLimit(fc: Combinators): Arbitrary<Limit> {
  const [text, count] = [anyText(fc), anyCount(fc)];
  return objectWith<Limit>(fc, [], {
    policy: text,
    unit: text,
    quota: count,
    remaining: count,
    windowMs: count,
    resetMs: count,
    scope: text,
  });
}

function anyRecourse(fc: Combinators): Arbitrary<Recourse> {
  const text = anyText(fc);
  return objectWith<Recourse>(fc, ["do"], {
    do: fc.constantFrom(...MOVES),
    afterMs: anyCount(fc),
    fields: few(fc, anyPointer(fc), 12),
    candidates: few(fc, text, 12),
    tool: text,
    approval: text,
    link: fc.oneof<string>(text, fc.constant("/approvals/1")),
  });
}

function anyRetry(fc: Combinators): Arbitrary<RetryWord> {
  const count = anyCount(fc);
  return objectWith<RetryWord>(fc, ["allowed"], {
    allowed: fc.boolean(),
    afterMs: count,
    maxAttempts: count,
    backoff: fc.constantFrom(...BACKOFFS),
    jitter: fc.double(),
  });
}

/** Everything that may go along with a reason. */
export function anyDetails(fc: Combinators): Arbitrary<Details> {
  const [text, count] = [anyText(fc), anyCount(fc)];
  return objectWith<Details>(fc, [], {
    effect: fc.constantFrom(...EFFECTS),
    repeatable: fc.boolean(),
    retry: anyRetry(fc),
    afterMs: count,
    issues: few(fc, anyIssue(fc), 22),
    limits: few(fc, anyLimit(fc), 6),
    recourse: fc.array(anyRecourse(fc), { maxLength: 4 }),
    quote: objectWith(fc, ["text", "from"], { text, from: fc.constantFrom(...AUTHORS) }),
    origin: objectWith(fc, ["layer"], { layer: fc.constantFrom(...LAYERS), name: text }),
    basis: fc.constantFrom(...BASES),
    tried: objectWith(fc, ["attempts", "elapsedMs", "stopped"], {
      attempts: count,
      elapsedMs: count,
      stopped: fc.constantFrom(...STOPS),
    }),
  });
}

/** A list of problems with arguments as a fault holds it: at least one, every member within its limit. */
export function validIssues(fc: Combinators): Arbitrary<readonly Issue[]> {
  return fc.array(anyIssue(fc), { minLength: 1, maxLength: 22 }).map((issues) => cleanIssues(issues) ?? []);
}

/** A peer's word on repeating as a fault holds it. */
export function validRetryWord(fc: Combinators): Arbitrary<RetryWord> {
  return anyRetry(fc).map((word) => cleanRetry(word) ?? { allowed: word.allowed });
}
