import type { Fault } from "../fault/fault.ts";
import type { Effect, Move } from "../fault/kinds.ts";
import { issueLines, renderQuote, withoutNamedIssues } from "./issues.ts";
import { attribute, renderModel } from "./model.ts";
import { knownWait, saysDuration, saysWhatToDo, withShownEffect } from "./next-move.ts";

const RENDERERS = { model: renderModel, person: renderPerson, log: renderLog } as const;

/** Who reads the text: a model, a person, or an operator with a log. */
export type Audience = keyof typeof RENDERERS;

/** Options of `render`. */
export interface RenderOptions {
  /** Who reads the text. */
  readonly for: Audience;
}

/**
 * Turns a fault into text. The same fault always gives the same text.
 *
 * @example
 * const text = render(fault, { for: "model" });
 * return { isError: true, content: [{ type: "text", text }] };
 */
export function render(fault: Fault, options: RenderOptions): string {
  return RENDERERS[options.for](fault);
}

/** Longer values are cut. */
const MAX_LOG_VALUE = 2_000;

/** The line for a log: `key=value` pairs in an order that never changes. */
export function renderLog(fault: Fault): string {
  return logPairs({
    kind: fault.kind,
    class: fault.class,
    reason: fault.reason,
    effect: fault.effect,
    next: fault.recourse.map((move) => move.do).join(","),
    after_ms: fault.recourse[0].afterMs,
    origin: fault.origin.layer,
    name: fault.origin.name,
    basis: fault.basis,
    attempts: fault.tried?.attempts,
    elapsed_ms: fault.tried?.elapsedMs,
    stopped: fault.tried?.stopped,
    issues: fault.issues?.length,
    cause: fault.cause?.reason,
    incident: fault.incident,
    request_id: fault.requestId,
    trace: fault.trace,
    message: fault.message,
    quote: fault.quote?.text,
  });
}

/** `key=value` pairs, without those that have no value. */
export function logPairs(pairs: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(pairs)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${quoteIfNeeded(String(value).slice(0, MAX_LOG_VALUE))}`)
    .join(" ");
}

/** The value itself, or a JSON string if it could be mistaken for another pair. */
function quoteIfNeeded(value: string): string {
  return /^[\w.,:/-]+$/.test(value) ? value : JSON.stringify(value);
}

const ADVICE_FOR_PERSON = {
  retry: "Please try again in a moment.",
  authenticate: "Please sign in again.",
  fix_input: "Please check the input.",
  choose_another: "Please choose something else.",
  refresh: "Please look at the current state before you try again.",
  do_first: "Please take care of that first, then try again.",
  ask_user: "This needs your decision.",
  stop: "Please contact the operator if this goes on.",
} as const satisfies Record<Move, string>;

const WAIT_FOR_PERSON: Partial<Record<Move, (wait: string) => string>> = {
  retry: (wait) => `Please try again in ${wait}.`,
  refresh: (wait) => `Please wait ${wait}, and look at the current state before you try again.`,
};

const EFFECT_FOR_PERSON = {
  possible: "The action may have happened already.",
  applied: "The action has happened.",
} as const satisfies Record<Exclude<Effect, "none">, string>;

const MAX_QUOTE_TEXT = 560;

/** The text for a person: what happened, what to do, and the reference for support. */
function renderPerson(fault: Fault): string {
  const shown = attribute(fault);
  const [move] = shown.moves.recourse;
  const wait = knownWait(shown.moves);
  const advice = (wait !== undefined && WAIT_FOR_PERSON[move.do]?.(wait)) || ADVICE_FOR_PERSON[move.do];
  const { message, quote } = shown;
  const parts = [message];
  if (quote !== undefined && !says(message, quote.text))
    parts.push(renderQuote(quote, { maxLength: MAX_QUOTE_TEXT, for: "person" }));
  // `retry` is only offered if a second call is safe.
  const { effect } = withShownEffect(fault);
  if (effect !== "none" && move.do !== "retry") parts.push(EFFECT_FOR_PERSON[effect]);
  // An author who says what to do is neither repeated nor contradicted.
  const isTold = saysWhatToDo(message) && (wait === undefined ? effect === "none" : saysDuration(message, wait));
  if (!isTold && !says(message, advice)) parts.push(advice);
  if (move.link !== undefined) parts.push(move.link);
  if (fault.incident !== undefined) parts.push(`Reference: ${fault.incident}.`);
  if (fault.requestId !== undefined) parts.push(`Request id of the service: ${fault.requestId}.`);
  return [parts.join(" "), ...issueLines(withoutNamedIssues(fault, message), shown.issues)].join("\n");
}

/** Whether a message says a sentence already. What a sender says in a quotation replaces no sentence of ours. */
function says(message: string, sentence: string): boolean {
  const words = sentence.trim().replace(/[.!]$/, "");
  return words !== "" && message.includes(words);
}
