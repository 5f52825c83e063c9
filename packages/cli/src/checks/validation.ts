import { arrayAt, isObject, type JsonObject, memberAt, stringAt } from "@recourse/core/wire";
import type { RecordedExchange, WrongField } from "../recording/recording.ts";
import { FOREIGN_REQUIRED, FOREIGN_TYPES } from "../words/languages.ts";
import { type EraView, GUARD_FIX, judgeEach, type ProbeCheck, quoteText, visibleText } from "./check.ts";
import { comparableText } from "./consistency.ts";
import { isDenied, isRefused, isSuccess, modelText, select, subject } from "./exchanges.ts";
import { failureIn, withoutOwn } from "./failures.ts";
import { hasRuntimeText } from "./leak.ts";

const NO_REFUSAL = "No wrong arguments were refused.";

/** Refusals of wrong arguments that say something about them. */
function refusals(view: EraView, ...variants: readonly string[]): readonly RecordedExchange[] {
  return select(view, "wrong-arguments", ...variants).filter(({ answer }) => isRefused(answer) && !isDenied(answer));
}

/** Refusals that have to name a field. A failure of the tool itself is not about the arguments. */
function namingRefusals(view: EraView): readonly RecordedExchange[] {
  return refusals(view).filter((one) => wrongFields(one).length > 0 && !hasRun(one, view) && !wentThrough(one, view));
}

/** Whether the answer has the words of a runtime, so that the tool's own code ran. */
function hasRun(exchange: RecordedExchange, view: EraView): boolean {
  return hasRuntimeText(withoutOwn(failureIn(exchange)?.text ?? "", view, exchange));
}

/** The text of a valid call of the same tool, if that failed too. */
function validFailure(view: EraView, tool: string | undefined): string | undefined {
  const texts = select(view, "valid-call")
    .filter((one) => one.tool === tool && isRefused(one.answer))
    .map((one) => comparableText(one, view));
  return texts.find((text) => text !== undefined && text !== "");
}

/** Whether a call reached the tool: it ended like a valid one. */
function wentThrough(exchange: RecordedExchange, view: EraView): boolean {
  if (isSuccess(exchange.answer)) return true;
  const valid = validFailure(view, exchange.tool);
  return valid !== undefined && comparableText(exchange, view) === valid;
}

/** Refusals that the server cuts short say so. */
const MORE = /…|\.\.\.|\b(?:more|others?)\b/i;

const ENOUGH_NAMED = 3;

export const VALIDATION_CHECKS: readonly ProbeCheck[] = [
  {
    id: "args-checked-first",
    category: "validation",
    severity: "high",
    title: "Arguments are checked before they are used.",
    failsWhen:
      "Wrong arguments get the same answer as a valid call, or an answer that contains the words of a runtime.",
    notCounted:
      "A refusal because of missing credentials. If no valid call fails, there may be nothing to compare with.",
    why: "Without this check, wrong input reaches your database or the service behind the tool.",
    fix: {
      text: "Give the tool an `inputSchema` and let `guard` answer: it refuses wrong arguments before your handler runs. For the low-level `Server`, pass `{ checkArguments: true }`.",
      code: GUARD_FIX,
    },
    source: "yours",
    preview: true,
    run: (view) =>
      judgeEach(refusals(view, "type", "type-again", "missing"), {
        nothing: NO_REFUSAL,
        wrong: (exchange) => {
          const text = failureIn(exchange)?.text ?? "";
          if (hasRun(exchange, view)) return `${subject(exchange)} reaches the tool's own code: ${quoteText(text)}.`;
          if (!wentThrough(exchange, view)) return undefined;
          return `${subject(exchange)} is answered like a valid call: ${quoteText(text)}.`;
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
      "Failures that a valid call has too, and failures in the tool's own code. The text does not have to repeat unknown keys. A name in the data alone is not enough: hosts drop the data.",
    why: "If the field is not named, the model cannot correct itself.",
    fix: { text: "`guard` names each wrong argument and what it must be.", code: GUARD_FIX },
    source: "yours",
    follows: ["args-checked-first"],
    run: (view) =>
      judgeEach(namingRefusals(view), {
        nothing: NO_REFUSAL,
        wrong: (exchange) => {
          const text = refusalText(exchange);
          if (wrongFields(exchange).some(({ field }) => namesField(text, field))) return undefined;
          return `${subject(exchange)} is refused without naming the field: ${quoteText(modelText(exchange.answer))}.`;
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
    why: "Each field that the refusal does not name costs the model one more turn.",
    fix: { text: "`guard` checks all arguments at once and lists every wrong one.", code: GUARD_FIX },
    source: "yours",
    follows: ["args-checked-first", "args-name-field"],
    run: (view) =>
      judgeEach(
        namingRefusals(view).filter((one) => wrongFields(one).length > 1),
        {
          nothing: "No refusal was about more than one field.",
          wrong: (exchange) => {
            const text = refusalText(exchange);
            const fields = wrongFields(exchange);
            const missing = fields.filter(({ field }) => !namesField(text, field));
            const [first] = missing;
            if (first === undefined) return undefined;
            if (fields.length - missing.length >= ENOUGH_NAMED && MORE.test(text)) return undefined;
            return `${subject(exchange)} is refused without naming ${visibleText(first.field, 60)}.`;
          },
        },
      ),
  },
  {
    id: "args-say-expected",
    category: "validation",
    severity: "medium",
    title: "A refusal of wrong arguments says what was expected.",
    failsWhen: "The text names no type, no bound, and fewer than two of the allowed values.",
    notCounted: "If the schema is a union of constants, one allowed value is enough: validators report only one.",
    why: "Without the expected value, the model has to guess.",
    fix: { text: "`guard` says what each wrong argument must be, based on the tool's schema.", code: GUARD_FIX },
    source: "yours",
    follows: ["args-checked-first"],
    run: (view) =>
      judgeEach(namingRefusals(view), {
        nothing: NO_REFUSAL,
        wrong: (exchange) => {
          const text = refusalText(exchange);
          if (saysExpected(text, wrongFields(exchange))) return undefined;
          return `${subject(exchange)} is refused without saying what was expected: ${quoteText(modelText(exchange.answer))}.`;
        },
      }),
  },
  {
    id: "args-limits",
    category: "validation",
    severity: "medium",
    title: "The allowed values and bounds of the schema are enforced.",
    failsWhen:
      "A value that the schema does not allow, or that is out of range, too long or too short, gets the same answer as a valid call.",
    notCounted:
      "Bounds that schema generators add to every integer. Tools that do not refuse wrong types either: `args-refused` finds those.",
    why: "The schema states a limit that nothing enforces: a single call can ask for a page of a million rows.",
    fix: {
      text: "Let `guard` check arguments against the schema that the tool lists. If larger values are fine, remove the limit from the schema.",
      code: GUARD_FIX,
    },
    source: "yours",
    since: 2,
    follows: ["args-refused", "args-checked-first"],
    run: (view) =>
      judgeEach(
        select(view, "wrong-arguments", "enum", "range").filter(
          ({ answer, sent }) =>
            answer.kind === "message" &&
            !isDenied(answer) &&
            !(sent.wrong ?? []).every(({ schema }) => hasGeneratedBounds(schema)),
        ),
        {
          nothing: "No schema of a tool that was called has choices or bounds.",
          wrong: (exchange) => (wentThrough(exchange, view) ? `${subject(exchange)} goes through.` : undefined),
        },
      ),
  },
  {
    id: "unknown-key-refused",
    category: "validation",
    severity: "low",
    title: "An argument that the schema forbids is refused.",
    failsWhen: "The schema has `additionalProperties: false`, but a call with an additional argument succeeds.",
    notCounted: "Schemas that allow additional arguments.",
    why: "If the argument is not refused, a mistyped option is ignored silently.",
    fix: {
      text: "Make the schema strict, so that it refuses unknown arguments.",
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
      judgeEach(
        select(view, "wrong-arguments", "extra-key").filter(
          ({ answer }) => answer.kind === "message" && !isDenied(answer),
        ),
        {
          nothing: "No schema forbids other arguments, or the tool was not called.",
          wrong: (exchange) => (wentThrough(exchange, view) ? `${subject(exchange)} goes through.` : undefined),
        },
      ),
  },
];

/** The fields that a refusal has to name: unknown keys are not among them, since a server need not repeat those. */
export function wrongFields({ sent }: RecordedExchange): readonly WrongField[] {
  return (sent.wrong ?? []).filter(({ rule }) => rule !== "extra-key");
}

/** What the model reads, without the name of the tool: that may hold the name of a field. */
function refusalText({ answer, tool }: RecordedExchange): string {
  const text = modelText(answer);
  return tool === undefined || tool === "" ? text : text.replaceAll(tool, "…");
}

/** Whether a text names a field as a word of its own. */
function namesField(text: string, field: string): boolean {
  for (let at = text.indexOf(field); at >= 0 && field !== ""; at = text.indexOf(field, at + 1))
    if (!continuesWord(text[at - 1], field[0]) && !continuesWord(text[at + field.length], field.at(-1))) return true;
  return false;
}

/** Whether a letter beside a field belongs to the same word. In a text without spaces, a change of script ends a word. */
function continuesWord(beside: string | undefined, edge: string | undefined): boolean {
  if (beside === undefined || edge === undefined || !/[\p{L}\p{N}_$]/u.test(beside)) return false;
  return !UNSPACED.test(beside) && !UNSPACED.test(edge);
}

/** Letters of scripts without spaces between words, or with endings that follow a foreign word at once. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Words for the types of JSON Schema, as validators and authors write them. */
const TYPE_WORDS =
  /\b(?:strings?|texts?|str|numbers?|numeric|integers?|int|whole|floats?|booleans?|bool|true|arrays?|lists?|objects?|records?|dict(?:ionary)?|maps?|null|uuid|date|url|uri|e-?mail)\b/i;

function namesType(text: string): boolean {
  return TYPE_WORDS.test(text) || FOREIGN_TYPES.test(text);
}

/** Whether a text says what was expected of at least one wrong field. */
function saysExpected(text: string, fields: readonly WrongField[]): boolean {
  return fields.some((field) => EXPECTED[field.rule](text, field));
}

const EXPECTED: Readonly<Record<WrongField["rule"], (text: string, field: WrongField) => boolean>> = {
  type: (text, { schema }) => namesType(text) || namesChoices(text, schema) || namesBound(text, schema),
  missing: (text, { schema }) =>
    /\b(?:required|requires|missing|must be|need(?:s|ed)?|provide|expected)\b/i.test(text) ||
    FOREIGN_REQUIRED.test(text) ||
    namesType(text) ||
    namesChoices(text, schema),
  enum: (text, { schema }) => namesChoices(text, schema),
  range: (text, { schema }) => namesBound(text, schema) || (hasGeneratedBounds(schema) && namesType(text)),
  "extra-key": () => true,
};

function namesChoices(text: string, schema: JsonObject | undefined): boolean {
  const listed = arrayAt(schema, "enum");
  const named = (choices: readonly unknown[]) => choices.filter((choice) => namesField(text, String(choice))).length;
  if (listed.length > 0) return named(listed) >= Math.min(2, listed.length);
  // Validators report one choice of a union of literals.
  const union = [...arrayAt(schema, "anyOf"), ...arrayAt(schema, "oneOf")];
  return named(union.flatMap((one) => (isObject(one) && "const" in one ? [one["const"]] : arrayAt(one, "enum")))) >= 1;
}

const BOUND_KEYWORDS = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
];

/** Generators of schemas write the bounds of safe integers into every integer. No author means them: "an integer" says enough. */
function hasGeneratedBounds(schema: JsonObject | undefined): boolean {
  const bounds = BOUND_KEYWORDS.map((key) => memberAt(schema, key)).filter((bound) => typeof bound === "number");
  return bounds.length > 0 && bounds.every((bound) => Math.abs(bound) === Number.MAX_SAFE_INTEGER);
}

/** A bound of the schema in figures, with or without separators, or a word for an empty value. */
function namesBound(text: string, schema: JsonObject | undefined): boolean {
  const figures = text.replace(/(?<=\d)[,_'](?=\d{3})/g, "");
  const bounds = BOUND_KEYWORDS.map((key) => memberAt(schema, key)).filter((bound) => typeof bound === "number");
  if (bounds.some((bound) => namesField(figures, String(bound)))) return true;
  if (bounds.includes(1) && /\b(?:empty|non-?empty|positive|at least one)\b/i.test(text)) return true;
  if (bounds.includes(0) && /\b(?:negative|positive)\b/i.test(text)) return true;
  const pattern = stringAt(schema, "pattern") ?? stringAt(schema, "format");
  return pattern !== undefined && (text.includes(pattern) || /\b(?:format|pattern|match)/i.test(text));
}
