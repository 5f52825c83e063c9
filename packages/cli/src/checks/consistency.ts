import type { Exchange } from "../recording/recording.ts";
import type { Check, EraView } from "./check.ts";
import { isDenied, of } from "./exchanges.ts";
import { failureIn } from "./failures.ts";
import { GUARD } from "./fixes.ts";
import { normalise } from "./normalise.ts";
import { withoutOwn } from "./own-texts.ts";
import { judge, quote, skipped } from "./results.ts";
import { startWith, whatWasSent } from "./what-was-sent.ts";

/** What stays the same between two answers to the same mistake. */
interface Identity {
  readonly channel: string;
  readonly code: number | undefined;
  readonly text: string;
}

/** Names that sound alike differ from name to name. */
const SUGGESTION = /\b(?:did you mean|perhaps you meant|similar tools?:)[^?\n]{0,300}\??/gi;

function identityOf(exchange: Exchange, view: EraView): Identity | undefined {
  const failure = isDenied(exchange.answer) ? undefined : failureIn(exchange);
  if (failure === undefined) return undefined;
  const { channel, code, text } = failure;
  return { channel, code, text: normalise(withoutOwn(text, view, exchange).replace(SUGGESTION, "")) };
}

function isSame(one: Identity, other: Identity): boolean {
  return one.channel === other.channel && one.code === other.code && one.text === other.text;
}

/** The text of a refusal without what changes, for a comparison with other refusals. */
export function comparableText(exchange: Exchange, view: EraView): string | undefined {
  return identityOf(exchange, view)?.text;
}

/** Two answers to the same request. */
interface Pair {
  readonly exchange: Exchange;
  readonly first: Identity;
  readonly second: Identity;
}

function pairOf(first: Exchange | undefined, second: Exchange | undefined, view: EraView): readonly Pair[] {
  const one = first && identityOf(first, view);
  const other = second && identityOf(second, view);
  return second && one && other ? [{ exchange: second, first: one, second: other }] : [];
}

export const CONSISTENCY: readonly Check[] = [
  {
    id: "failures-differ",
    category: "consistency",
    severity: "high",
    title: "Different failures read differently.",
    failsWhen: "A call of an unknown tool gets the same text as wrong arguments or as a tool that failed.",
    notCounted: "Numbers and ids. One sentence for everything, written to hide causes, is counted.",
    why: "The model cannot tell what to change, and tries the wrong cure.",
    fix: {
      text: "`guard` answers unknown tools, wrong arguments and failed tools each in its own way, before your code runs.",
      code: GUARD,
    },
    source: "yours",
    run: (view) => {
      const [unknown] = of(view, "unknown-tool");
      const text = unknown && comparableText(unknown, view);
      if (unknown === undefined || text === undefined || text === "") return skipped("No unknown tool was refused.");
      const others = [...of(view, "wrong-arguments"), ...of(view, "valid-call")].filter(
        (one) => comparableText(one, view) !== undefined,
      );
      return judge(others, {
        nothing: "No other call failed.",
        wrong: (other) =>
          comparableText(other, view) === text
            ? `${startWith(other)} gets the same answer as a call of an unknown tool: ${quote(failureIn(other)?.text ?? "")}.`
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
    notCounted: "Incident ids, times and numbers.",
    why: "Guards against loops and the grouping of errors rest on it.",
    fix: { text: "`guard` writes the same failure in the same words every time.", code: GUARD },
    source: "yours",
    run: (view) => {
      const again = of(view, "wrong-arguments", "type-again").flatMap((second) =>
        pairOf(
          of(view, "wrong-arguments", "type").find(({ tool }) => tool === second.tool),
          second,
          view,
        ),
      );
      const [first, second] = of(view, "unknown-tool");
      return judge([...pairOf(first, second, view), ...again], {
        nothing: "No request was refused twice.",
        wrong: ({ exchange, first: one, second: other }) => {
          if (isSame(one, other)) return undefined;
          const what = one.code === other.code ? "text" : "code";
          return `The ${what} of the answer changes when ${whatWasSent(exchange)} is sent again.`;
        },
      });
    },
  },
  {
    id: "prototype-names",
    category: "consistency",
    severity: "low",
    title: "Names such as constructor are unknown tools like any other.",
    failsWhen: "A call of `constructor`, `toString` or `__proto__` is answered in another way than an unknown tool.",
    why: "Such a name reaches code that was written for tools.",
    fix: { text: "`guard` looks tools up by their own names only.", code: GUARD },
    source: "sdk",
    run: (view) => {
      const [unknown] = of(view, "unknown-tool");
      const expected = unknown && identityOf(unknown, view);
      if (expected === undefined) return skipped("No unknown tool was refused.");
      const looked = of(view, "prototype-name").filter(({ answer }) => answer.kind === "message" && !isDenied(answer));
      return judge(looked, {
        nothing: "No such name was called.",
        wrong: (exchange) => {
          const identity = identityOf(exchange, view);
          if (identity === undefined) return `${startWith(exchange)} is answered with a result.`;
          if (isSame(identity, expected)) return undefined;
          return `${startWith(exchange)} is not answered like an unknown tool: ${quote(failureIn(exchange)?.text ?? "")}.`;
        },
      });
    },
  },
];
