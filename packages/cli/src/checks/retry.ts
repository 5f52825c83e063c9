import { type JsonObject, objectAt, parseJson, stringAt } from "@recourse/core/wire";
import type { RecordedAnswer, RecordedExchange } from "../recording/recording.ts";
import { FOREIGN_NETWORK } from "../words/languages.ts";
import { certainChange } from "../words/verbs.ts";
import {
  type CheckResult,
  type EraView,
  failCheck,
  GUARD_FIX,
  judgeEach,
  type ProbeCheck,
  passCheck,
  quoteText,
  skipCheck,
  visibleText,
} from "./check.ts";
import { answerStatus, isDenied, modelText, select, subject } from "./exchanges.ts";
import { failureIn, withoutOwn } from "./failures.ts";

const WAIT_FIX = `import { fail } from "@recourse/faults";

throw fail.rate_limited({ retry: { allowed: true, afterMs: 30_000 } })\`Too many searches. Wait before the next one.\`;`;

const retryAfter: ProbeCheck = {
  id: "retry-after",
  category: "retry",
  severity: "high",
  source: "yours",
  transport: "http",
  title: "429 and 503 say how long to wait.",
  failsWhen: "An answer with 429 or 503 has no `Retry-After` header and no wait in its body.",
  notCounted: "Servers that never send these statuses: the probe does not try to overload them.",
  why: "A caller that does not know how long to wait retries at once and makes the overload worse.",
  fix: { text: "Throw a reason with `retry`: `guardHandler` sets the header from it.", code: WAIT_FIX },
  run: (view) =>
    judgeEach(
      view.era.exchanges.filter(({ answer }) => [429, 503].includes(answerStatus(answer) ?? 0)),
      {
        nothing: "No request got 429 or 503.",
        wrong: ({ answer }) =>
          namesWait(answer)
            ? undefined
            : `An answer with ${answerStatus(answer)} has no Retry-After header, and no wait in its body.`,
      },
    ),
};

function namesWait(answer: RecordedAnswer): boolean {
  if (answer.kind !== "message" && answer.kind !== "body") return false;
  if (answer.http?.headers["retry-after"] !== undefined) return true;
  return WAIT_MEMBER.test(answer.text) || WAIT_TEXT.test(answer.text);
}

const WAIT_MEMBER = /"(?:retry[_-]?after|retry[_-]?in|after_?ms|retry_?delay|wait)\w{0,20}"\s*:/i;

const WAIT_TEXT =
  /\b(?:in|after|wait(?: for)?) \d{1,9} ?(?:ms|s|sec|seconds?|min|minutes?|sekunden?|minuten?|secondes?|segundos?)\b|\d{1,9} ?[秒分초]/i;

const retryHint: ProbeCheck = {
  id: "retry-hint",
  category: "retry",
  severity: "medium",
  source: "yours",
  preview: true,
  follows: ["failure-machine-readable"],
  title: "A network failure says whether to repeat the call.",
  failsWhen:
    "A valid call fails because a service is down or overloaded, and neither the data nor the text of the answer says whether or when to repeat it.",
  notCounted:
    'Failures without a sign of a network problem, such as a system error code, the status 429 or 503, "too many requests" or "later". "Retry once", "in 30 seconds" and "5 calls per 20 seconds" count as hints; "try again later" does not.',
  why: "Without a hint, programs repeat the call too often or not at all.",
  fix: {
    text: "`guard` adds a hint to failures that it recognises, such as refused connections. For your own failures, throw a reason with `retry`.",
    code: GUARD_FIX,
  },
  run(view) {
    const away = select(view, "valid-call").filter((exchange) => isNetworkFailure(exchange, view));
    return judgeEach(away, {
      nothing: "No call failed because a service was down.",
      wrong: (exchange) =>
        hasHint(exchange.answer)
          ? undefined
          : `${subject(exchange)} fails with ${quoteText(failureIn(exchange)?.text ?? "")}, and nothing says whether to repeat it.`,
    });
  },
};

const HINT_MEMBER =
  /^(?:recourse|after_?ms|wait_?(?:ms|seconds)|(?:is_?|can_?|should_?)?retr(?:y|yable)|retry_?(?:after|in|able|delay)\w*|(?:is_?)?(?:recoverable|transient|temporary))$/i;

/** Codes of the system, and words that say that a service is down or overloaded. */
const NETWORK_CODES =
  /\b(?:ECONN[A-Z]+|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPIPE|UND_ERR_\w+|fetch failed|later)\b/;
const NETWORK_TEXT =
  /\b(?:too many requests|rate[- ]limit(?:ed| exceeded| reached| hit)|quota (?:exceeded|reached)|(?:temporarily|service|currently) (?:unavailable|overloaded)|is overloaded|timed out)\b/i;
/** 429 and 503 as a status. The number alone may be an id. */
const NETWORK_STATUS =
  /\b(?:status|code|http|error|answered|returned|got)\b\W{0,3}(?:code\W{1,3})?(?:429|503)\b|\((?:429|503)\)|\b(?:429 too many|503 service)\b/i;

/** A sentence that says whether or when to repeat a call. "Try again later" says neither. */
const HINT_TEXT =
  /\b(?:retry|repeat|try|call)(?: it| this)?(?: again)? (?:once|twice|at most|up to|in \d|in a (?:minute|few)|after \d|every \d)|\b(?:do not|don't|never|must not) (?:retry|repeat|try again)\b|\b(?:safe|ok) to (?:retry|repeat|try)\b|\bretryable\b|\b\d{1,9} (?:\w{1,20} ){0,3}per (?:\d{1,6} )?(?:second|minute|hour)s?\b/i;

function isNetworkFailure(exchange: RecordedExchange, view: EraView): boolean {
  const failure = failureIn(exchange);
  if (failure === undefined || isDenied(exchange.answer)) return false;
  const text = withoutOwn(failure.text, view, exchange).slice(0, MAX_RETRY_HINT_TEXT);
  return [NETWORK_CODES, NETWORK_TEXT, NETWORK_STATUS, FOREIGN_NETWORK].some((pattern) => pattern.test(text));
}

/** Whether a sentence, or a member, also one of a JSON text, says whether or when to repeat the call. */
function hasHint(answer: RecordedAnswer): boolean {
  const text = modelText(answer).slice(0, MAX_RETRY_HINT_TEXT);
  if (HINT_TEXT.test(text) || WAIT_TEXT.test(text)) return true;
  const values: unknown[] = answer.kind === "message" ? [answer.message, parseJson(modelText(answer))] : [];
  for (let at = 0; at < values.length && at < MAX_HINT_VALUES; at += 1) {
    const value = values[at];
    if (typeof value !== "object" || value === null) continue;
    if (Object.keys(value).some((name) => HINT_MEMBER.test(name))) return true;
    values.push(...Object.values(value));
  }
  return false;
}

/** More values than this are not looked at. */
const MAX_HINT_VALUES = 5_000;
/** So much of a text is looked at. */
const MAX_RETRY_HINT_TEXT = 8_000;

const annotationsPresent: ProbeCheck = {
  id: "annotations-present",
  category: "retry",
  severity: "low",
  source: "yours",
  title: "Every tool says whether it only reads.",
  failsWhen: "A tool has none of the hints: read-only, destructive, idempotent, open world.",
  why: "Without annotations, hosts and agents cannot know whether a call is safe to repeat.",
  fix: {
    text: "Add `annotations` to each tool.",
    code: `server.registerTool(
  "list_orders",
  { annotations: { readOnlyHint: true } },
  listOrders,
);`,
  },
  run: (view) =>
    judgeTools(view, (bare) => {
      const without = bare.filter((tool) => !HINTS.some((hint) => typeof toolAnnotations(tool)[hint] === "boolean"));
      const [first] = without;
      if (first === undefined) return undefined;
      return without.length === 1
        ? `The tool ${toolName(first)} has no annotations.`
        : `${without.length} of ${bare.length} tools have no annotations, such as ${toolName(first)}.`;
    }),
};

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

const annotationsConsistent: ProbeCheck = {
  id: "annotations-consistent",
  category: "retry",
  severity: "medium",
  source: "yours",
  title: "A tool's annotations do not contradict each other or its name.",
  failsWhen:
    "A tool is both read-only and destructive, or it is read-only and its name begins with a verb such as `delete`.",
  notCounted:
    "Verbs that are not the first word, words such as `settings`, and calculations such as `add` for two numbers.",
  why: "Hosts call tools that are marked as read-only without asking, and agents repeat such calls.",
  fix: {
    text: "Set `readOnlyHint` only for tools that change nothing.",
    code: `server.registerTool(
  "delete_order",
  { annotations: { readOnlyHint: false, destructiveHint: true } },
  deleteOrder,
);`,
  },
  run: (view) =>
    judgeTools(view, (tools) => {
      for (const tool of tools) {
        const { readOnlyHint, destructiveHint } = toolAnnotations(tool);
        if (readOnlyHint !== true) continue;
        if (destructiveHint === true) return `The tool ${toolName(tool)} is both read-only and destructive.`;
        if (certainChange(tool) !== undefined)
          return `The tool ${toolName(tool)} says that it only reads, and its name that it changes something.`;
      }
      return undefined;
    }),
};

const toolAnnotations = (tool: JsonObject): JsonObject => objectAt(tool, "annotations") ?? {};

const toolName = (tool: JsonObject): string => visibleText(stringAt(tool, "name") ?? "without a name", 60);

/** Judges the list of tools. The exchange with the list is the evidence. */
function judgeTools(view: EraView, wrong: (tools: readonly JsonObject[]) => string | undefined): CheckResult {
  const { tools, exchanges } = view.era;
  const [listed] = [...select(view, "list", "tools/list"), ...exchanges];
  if (tools.length === 0 || listed === undefined) return skipCheck("The server lists no tools.");
  const message = wrong(tools);
  return message === undefined ? passCheck() : failCheck(message, [listed]);
}

/** Whether and when to repeat a call. */
export const RETRY_CHECKS: readonly ProbeCheck[] = [retryAfter, retryHint, annotationsPresent, annotationsConsistent];
