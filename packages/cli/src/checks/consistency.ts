import type { RecordedExchange } from "../recording/recording.ts";
import { type EraView, GUARD_FIX, judgeEach, type ProbeCheck, quoteText, skipCheck } from "./check.ts";
import { isDenied, select, sentPhrase, subject } from "./exchanges.ts";
import { failureIn, withoutOwn } from "./failures.ts";

/** What changes from answer to answer though the failure is the same: ids, times and numbers. The longest forms first. */
const CHANGING_PARTS: readonly RegExp[] = [
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?/gi,
  /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d(?: GMT| UTC)?/g,
  // Incident ids of Recourse are ULIDs.
  /\b[0-9A-HJKMNP-TV-Z]{26}\b/g,
  /\b(?=[a-z]{0,40}\d)[0-9a-f]{8,}\b/gi,
  // Ids with digits among letters, such as req_a1B2c3D4.
  /\b(?:req|request|trace|span|incident|err|error|evt|corr)[-_:#]\w{4,}/gi,
  /\d+(?:[.,]\d+)*/g,
];

/** A text without what changes from answer to answer, to compare two answers. */
export function normalise(text: string): string {
  let rest = text.slice(0, 20_000);
  for (const pattern of CHANGING_PARTS) rest = rest.replace(pattern, "#");
  return rest.replace(/\s+/g, " ").trim();
}

/** What stays the same between two answers to the same mistake. */
interface FailureIdentity {
  readonly channel: string;
  readonly code: number | undefined;
  readonly text: string;
}

/** Names that sound alike differ from name to name. */
const SUGGESTION = /\b(?:did you mean|perhaps you meant|similar tools?:)[^?\n]{0,300}\??/gi;

function failureIdentity(exchange: RecordedExchange, view: EraView): FailureIdentity | undefined {
  const failure = isDenied(exchange.answer) ? undefined : failureIn(exchange);
  if (failure === undefined) return undefined;
  const { channel, code, text } = failure;
  return { channel, code, text: normalise(withoutOwn(text, view, exchange).replace(SUGGESTION, "")) };
}

function isSameIdentity(one: FailureIdentity, other: FailureIdentity): boolean {
  return one.channel === other.channel && one.code === other.code && one.text === other.text;
}

/** The text of a refusal without what changes, for a comparison with other refusals. */
export function comparableText(exchange: RecordedExchange, view: EraView): string | undefined {
  return failureIdentity(exchange, view)?.text;
}

/** Two answers to the same request. */
interface AnswerPair {
  readonly exchange: RecordedExchange;
  readonly first: FailureIdentity;
  readonly second: FailureIdentity;
}

function pairAnswers(
  first: RecordedExchange | undefined,
  second: RecordedExchange | undefined,
  view: EraView,
): readonly AnswerPair[] {
  const one = first && failureIdentity(first, view);
  const other = second && failureIdentity(second, view);
  return second && one && other ? [{ exchange: second, first: one, second: other }] : [];
}

export const CONSISTENCY_CHECKS: readonly ProbeCheck[] = [
  {
    id: "failures-differ",
    category: "consistency",
    severity: "high",
    title: "Different failures read differently.",
    failsWhen: "A call to an unknown tool gets the same text as wrong arguments or a failed tool.",
    notCounted:
      "Differences in numbers and ids. A single sentence for all failures is counted, even if it hides causes on purpose.",
    why: "If failures read alike, the model cannot tell what to change and tries the wrong fix.",
    fix: {
      text: "`guard` gives unknown tools, wrong arguments and failed tools different answers.",
      code: GUARD_FIX,
    },
    source: "yours",
    run: (view) => {
      const [unknown] = select(view, "unknown-tool");
      const text = unknown && comparableText(unknown, view);
      if (unknown === undefined || text === undefined || text === "") return skipCheck("No unknown tool was refused.");
      const others = [...select(view, "wrong-arguments"), ...select(view, "valid-call")].filter(
        (one) => comparableText(one, view) !== undefined,
      );
      return judgeEach(others, {
        nothing: "No other call failed.",
        wrong: (other) =>
          comparableText(other, view) === text
            ? `${subject(other)} gets the same answer as a call of an unknown tool: ${quoteText(failureIn(other)?.text ?? "")}.`
            : undefined,
      });
    },
  },
  {
    id: "stable-identity",
    category: "consistency",
    severity: "medium",
    title: "The same mistake gets the same answer.",
    failsWhen: "The code or the text of a refusal differs when the same request is sent again.",
    notCounted: "Differences in incident ids, times and numbers.",
    why: "Loop detection and error grouping depend on stable answers.",
    fix: { text: "`guard` describes the same failure in the same words every time.", code: GUARD_FIX },
    source: "yours",
    run: (view) => {
      const again = select(view, "wrong-arguments", "type-again").flatMap((second) =>
        pairAnswers(
          select(view, "wrong-arguments", "type").find(({ tool }) => tool === second.tool),
          second,
          view,
        ),
      );
      const [first, second] = select(view, "unknown-tool");
      return judgeEach([...pairAnswers(first, second, view), ...again], {
        nothing: "No request was refused twice.",
        wrong: ({ exchange, first: one, second: other }) => {
          if (isSameIdentity(one, other)) return undefined;
          const what = one.code === other.code ? "text" : "code";
          return `The ${what} of the answer changes when ${sentPhrase(exchange)} is sent again.`;
        },
      });
    },
  },
  {
    id: "prototype-names",
    category: "consistency",
    severity: "low",
    title: "Names such as constructor are treated like any other unknown tool.",
    failsWhen: "A call to `constructor`, `toString` or `__proto__` gets a different answer from an unknown tool.",
    why: "If such a name is not refused, it reaches code that expects a tool.",
    fix: { text: "`guard` looks up only tools that are registered under that name.", code: GUARD_FIX },
    source: "sdk",
    run: (view) => {
      const [unknown] = select(view, "unknown-tool");
      const expected = unknown && failureIdentity(unknown, view);
      if (expected === undefined) return skipCheck("No unknown tool was refused.");
      const looked = select(view, "prototype-name").filter(
        ({ answer }) => answer.kind === "message" && !isDenied(answer),
      );
      return judgeEach(looked, {
        nothing: "No such name was called.",
        wrong: (exchange) => {
          const identity = failureIdentity(exchange, view);
          if (identity === undefined) return `${subject(exchange)} is answered with a result.`;
          if (isSameIdentity(identity, expected)) return undefined;
          return `${subject(exchange)} is not answered like an unknown tool: ${quoteText(failureIn(exchange)?.text ?? "")}.`;
        },
      });
    },
  },
];
