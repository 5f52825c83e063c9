// The details of a fault, valid and invalid: building a fault has to drop what is invalid.
import type { FaultDetails } from "../../fault/build.ts";
import { cleanIssues, cleanRetry } from "../../fault/clean.ts";
import {
  AUTHORS,
  BACKOFFS,
  BASES,
  ISSUE_CODES,
  ISSUE_RULES,
  type Issue,
  LAYERS,
  type Limit,
  type Recourse,
  type RetryAdvice,
  STOPS,
} from "../../fault/fault.ts";
import { EFFECTS, MOVES } from "../../fault/kinds.ts";
import { type Arbitrary, type Combinators, objectWith, shortList } from "./fast-check.ts";
import { anyText } from "./text.ts";

const EDGE_COUNTS = [0, -0, 1, 0.5, 999, 1000, 60_000, 86_400_000, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY];

function anyCount(fc: Combinators): Arbitrary<number> {
  return fc.oneof<number>(fc.nat(), fc.constantFrom(...EDGE_COUNTS), fc.double());
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
    rule: fc.constantFrom(...ISSUE_RULES),
    expected: text,
    suggestion: text,
    code: fc.constantFrom(...ISSUE_CODES),
    keys: fc.array(fc.oneof(text, fc.constantFrom("limit", "page_size")), { maxLength: 3 }),
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
    fields: shortList(fc, anyPointer(fc), 12),
    candidates: shortList(fc, text, 12),
    tool: text,
    approval: text,
    link: fc.oneof<string>(text, fc.constant("/approvals/1")),
  });
}

function anyRetryAdvice(fc: Combinators): Arbitrary<RetryAdvice> {
  const count = anyCount(fc);
  return objectWith<RetryAdvice>(fc, ["allowed"], {
    allowed: fc.boolean(),
    afterMs: count,
    maxAttempts: count,
    backoff: fc.constantFrom(...BACKOFFS),
    jitter: fc.double(),
  });
}

/** Any details of a fault. */
export function anyDetails(fc: Combinators): Arbitrary<FaultDetails> {
  const [text, count] = [anyText(fc), anyCount(fc)];
  return objectWith<FaultDetails>(fc, [], {
    effect: fc.constantFrom(...EFFECTS),
    repeatable: fc.boolean(),
    retry: anyRetryAdvice(fc),
    afterMs: count,
    issues: shortList(fc, anyIssue(fc), 22),
    limits: shortList(fc, anyLimit(fc), 6),
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

/** Valid issues of a fault, at least one. */
export function validIssues(fc: Combinators): Arbitrary<readonly Issue[]> {
  return fc.array(anyIssue(fc), { minLength: 1, maxLength: 22 }).map((issues) => cleanIssues(issues) ?? []);
}

/** Valid advice on retrying. */
export function validRetryAdvice(fc: Combinators): Arbitrary<RetryAdvice> {
  return anyRetryAdvice(fc).map((advice) => cleanRetry(advice) ?? { allowed: advice.allowed });
}
