import type { Exchange } from "../recording/recording.ts";
import type { Check, EraView } from "./check.ts";
import { comparableText } from "./consistency.ts";
import { isDenied, isRefusal, isSuccess, modelText, of } from "./exchanges.ts";
import { failureIn } from "./failures.ts";
import { GUARD } from "./fixes.ts";
import { hasRuntimeText } from "./leak.ts";
import { withoutOwn } from "./own-texts.ts";
import { names, refusalText, saysExpected, wrongFields } from "./refusal-text.ts";
import { judge, quote, visible } from "./results.ts";
import { startWith } from "./what-was-sent.ts";

const NO_REFUSAL = "No wrong arguments were refused.";

/** Refusals of wrong arguments that say something about them. */
function refusals(view: EraView, ...variants: readonly string[]): readonly Exchange[] {
  return of(view, "wrong-arguments", ...variants).filter(({ answer }) => isRefusal(answer) && !isDenied(answer));
}

/** Refusals that have to name a field. A failure of the tool itself is not about the arguments. */
function namingRefusals(view: EraView): readonly Exchange[] {
  return refusals(view).filter((one) => wrongFields(one).length > 0 && !hasRun(one, view) && !wentThrough(one, view));
}

/** Whether the answer has the words of a runtime, so that the tool's own code ran. */
function hasRun(exchange: Exchange, view: EraView): boolean {
  return hasRuntimeText(withoutOwn(failureIn(exchange)?.text ?? "", view, exchange));
}

/** The text of a valid call of the same tool, if that failed too. */
function validFailure(view: EraView, tool: string | undefined): string | undefined {
  const texts = of(view, "valid-call")
    .filter((one) => one.tool === tool && isRefusal(one.answer))
    .map((one) => comparableText(one, view));
  return texts.find((text) => text !== undefined && text !== "");
}

/** Whether a call reached the tool: it ended like a valid one. */
function wentThrough(exchange: Exchange, view: EraView): boolean {
  if (isSuccess(exchange.answer)) return true;
  const valid = validFailure(view, exchange.tool);
  return valid !== undefined && comparableText(exchange, view) === valid;
}

/** Refusals that the server cuts short say so. */
const MORE = /…|\.\.\.|\b(?:more|others?)\b/i;
const ENOUGH_NAMED = 3;

export const VALIDATION: readonly Check[] = [
  {
    id: "args-checked-first",
    category: "validation",
    severity: "high",
    title: "Arguments are checked before anything is done with them.",
    failsWhen: "Wrong arguments get the answer of a valid call, or an answer with the words of a runtime in it.",
    notCounted:
      "A refusal for missing credentials. Without a valid call that fails there may be nothing to compare with.",
    why: "Wrong input reaches your database or the service behind the tool.",
    fix: {
      text: "Give the tool an `inputSchema` and let `guard` answer: it refuses wrong arguments before your handler runs. A low-level handler can call `checkArguments(args, schema)` first.",
      code: GUARD,
    },
    source: "yours",
    preview: true,
    run: (view) =>
      judge(refusals(view, "type", "type-again", "missing"), {
        nothing: NO_REFUSAL,
        wrong: (exchange) => {
          const text = failureIn(exchange)?.text ?? "";
          if (hasRun(exchange, view)) return `${startWith(exchange)} reaches the tool's own code: ${quote(text)}.`;
          if (!wentThrough(exchange, view)) return undefined;
          return `${startWith(exchange)} is answered like a valid call: ${quote(text)}.`;
        },
      }),
  },
  {
    id: "args-name-field",
    category: "validation",
    severity: "high",
    title: "A refusal of wrong arguments names a field.",
    failsWhen: "None of the wrong fields is named in the text that the model reads.",
    notCounted:
      "Failures that a valid call has too, and failures of the tool's own code. Unknown keys need not be repeated. A name that is only in data beside the text is not enough: hosts drop it.",
    why: "The model cannot correct itself.",
    fix: { text: "`guard` names each wrong argument and what it must be.", code: GUARD },
    source: "yours",
    follows: ["args-checked-first"],
    run: (view) =>
      judge(namingRefusals(view), {
        nothing: NO_REFUSAL,
        wrong: (exchange) => {
          const text = refusalText(exchange);
          if (wrongFields(exchange).some(({ field }) => names(text, field))) return undefined;
          return `${startWith(exchange)} is refused without naming the field: ${quote(modelText(exchange.answer))}.`;
        },
      }),
  },
  {
    id: "args-name-all",
    category: "validation",
    severity: "medium",
    title: "A refusal of wrong arguments names every wrong field.",
    failsWhen: "Two or more fields are wrong, and one of them is missing from the text.",
    notCounted: "A long list that names three fields and says that there are more.",
    why: "Each field that is not named costs the model one more turn.",
    fix: { text: "`guard` checks all arguments at once and lists each that is wrong.", code: GUARD },
    source: "yours",
    follows: ["args-checked-first", "args-name-field"],
    run: (view) =>
      judge(
        namingRefusals(view).filter((one) => wrongFields(one).length > 1),
        {
          nothing: "No refusal was about more than one field.",
          wrong: (exchange) => {
            const text = refusalText(exchange);
            const fields = wrongFields(exchange);
            const missing = fields.filter(({ field }) => !names(text, field));
            const [first] = missing;
            if (first === undefined) return undefined;
            if (fields.length - missing.length >= ENOUGH_NAMED && MORE.test(text)) return undefined;
            return `${startWith(exchange)} is refused without naming ${visible(first.field, 60)}.`;
          },
        },
      ),
  },
  {
    id: "args-say-expected",
    category: "validation",
    severity: "medium",
    title: "A refusal of wrong arguments says what was expected.",
    failsWhen: "The text has no word for a type, no bound, and fewer than two of the choices.",
    notCounted: "One choice is enough where the schema is a union of constants: validators report only one.",
    why: "The model has to guess.",
    fix: { text: "`guard` says of each wrong argument what it must be, from the tool's schema.", code: GUARD },
    source: "yours",
    follows: ["args-checked-first"],
    run: (view) =>
      judge(namingRefusals(view), {
        nothing: NO_REFUSAL,
        wrong: (exchange) => {
          const text = refusalText(exchange);
          if (saysExpected(text, wrongFields(exchange))) return undefined;
          return `${startWith(exchange)} is refused without saying what was expected: ${quote(modelText(exchange.answer))}.`;
        },
      }),
  },
  {
    id: "unknown-key-refused",
    category: "validation",
    severity: "low",
    title: "An argument that the schema forbids is refused.",
    failsWhen: "The schema has `additionalProperties: false`, and a call with another argument goes through.",
    notCounted: "Schemas that allow other arguments.",
    why: "A mistyped option is ignored without a word.",
    fix: {
      text: "Make the schema strict, so that it refuses what it does not know.",
      code: `server.registerTool(
  "list_orders",
  { inputSchema: z.strictObject({ status: z.string() }) },
  listOrders,
);`,
    },
    source: "yours",
    preview: true,
    follows: ["args-checked-first"],
    run: (view) =>
      judge(
        of(view, "wrong-arguments", "extra-key").filter(({ answer }) => answer.kind === "message" && !isDenied(answer)),
        {
          nothing: "No schema forbids other arguments, or the tool was not called.",
          wrong: (exchange) => (wentThrough(exchange, view) ? `${startWith(exchange)} goes through.` : undefined),
        },
      ),
  },
];
