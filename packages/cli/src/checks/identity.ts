import { arrayAt, entriesOf, isObject, type JsonObject, parseJson, stringAt } from "@recourse/core/wire";
import { FOREIGN_ERROR_ALONE } from "../words/languages.ts";
import { type EraView, GUARD_FIX, judgeEach, type ProbeCheck, quoteText } from "./check.ts";
import { ERROR_CODE_CHECKS } from "./error-codes.ts";
import { answerResult, isDenied, isRefused, isToolFailure, select, sentPhrase, subject } from "./exchanges.ts";
import { allFailures, type FailedExchange, NO_FAILURE } from "./failures.ts";

/** Failures that are written for a reader: not the bodies of other systems. */
const writtenFailures = (view: EraView) => allFailures(view).filter(({ channel }) => channel !== "http");

/** A prefix of SDK 1.x, which its clients write once more. */
const PREFIX = /^MCP error -?\d{1,6}: ?/;

/** A list of problems as validators write it for programs. */
const ISSUES =
  /[[{]\s{0,20}"(?:code|expected|received|path|message|instancePath|keyword|origin|values|unionErrors|errors|issues)"\s?:/;

function isIssueDump({ text, channel }: FailedExchange): boolean {
  const body = text.slice(0, 8000).replace(PREFIX, "").trim();
  // A tool may answer in JSON; a sentence with JSON behind it is neither.
  if (channel === "tool" && parseJson(body) !== undefined) return false;
  return ISSUES.test(body);
}

const EMPTY_WORDS = /^(?:undefined|null|nan|error|unknown error|exception|\{\}|\[\])?[.:!]?$/i;

/** A sentence whose only reason is a value that nobody wrote: "Failed: undefined". */
const EMPTY_REASON = /^[\p{L} ]{0,60}[:：] ?(?:undefined|null|nan|none|\{\})[.!]?$/iu;

function saysNothing({ text, exchange, channel }: FailedExchange): boolean {
  const said = text.slice(0, 8000).replace(PREFIX, "").trim();
  // A failed tool without any text is a finding of its own.
  if (said === "") return channel === "rpc";
  if (EMPTY_WORDS.test(said) || FOREIGN_ERROR_ALONE.test(said) || said.includes("[object Object]")) return true;
  // Parameters without a name make sentences such as "Unknown tool: " or "Unknown tool: undefined".
  if (exchange.stimulus === "malformed-params") return false;
  return /[:：]$/.test(said) || (exchange.stimulus !== "wrong-arguments" && EMPTY_REASON.test(said));
}

export const IDENTITY_CHECKS: readonly ProbeCheck[] = [
  ...ERROR_CODE_CHECKS,
  {
    id: "failure-machine-readable",
    category: "identity",
    severity: "medium",
    title: "A failed tool call also describes the failure as data.",
    failsWhen:
      "A result with `isError` has no object in `_meta`, and no code in `structuredContent`, in `error` or in a JSON text.",
    notCounted: 'Failures whose text is JSON with a code, such as `{"code":"SCHEMA_NOT_FOUND"}`: that is data.',
    why: "Without data, programs have to search English sentences to find out what to do.",
    fix: {
      text: "`guard` sends the kind, the reason and the next step in the `_meta` of every failed tool call.",
      code: GUARD_FIX,
    },
    source: "sdk",
    run: (view) =>
      judgeEach(
        [...select(view, "wrong-arguments"), ...select(view, "valid-call")].filter(({ answer }) =>
          isToolFailure(answer),
        ),
        {
          nothing: "No tool failed.",
          wrong: (exchange) =>
            isMachineReadable(answerResult(exchange.answer) ?? {})
              ? undefined
              : `${subject(exchange)} fails with a sentence only: there is no code or data to act on.`,
        },
      ),
  },
  {
    id: "message-says-something",
    category: "identity",
    severity: "medium",
    title: "Every failure says what happened.",
    failsWhen:
      "The text of a failure is empty, `undefined`, `[object Object]`, or ends in a colon followed by nothing or by `undefined`.",
    notCounted: "Sentences that repeat an empty name that was sent, and bodies that are not JSON-RPC.",
    why: "Neither a model nor a person can act on a failure without a message.",
    fix: { text: "`guard` gives every failure a sentence, whatever was thrown.", code: GUARD_FIX },
    source: "yours",
    preview: true,
    follows: ["code-process"],
    run: (view) =>
      judgeEach(writtenFailures(view), {
        nothing: NO_FAILURE,
        wrong: (failure) =>
          saysNothing(failure)
            ? `The text of the answer to ${sentPhrase(failure.exchange)} says nothing: ${quoteText(failure.text)}.`
            : undefined,
      }),
  },
  {
    id: "message-sentence",
    category: "identity",
    severity: "low",
    title: "The message of a failure is a sentence.",
    failsWhen: "The message is, or ends in, a validator's list of problems in JSON.",
    notCounted: "A tool's text that is entirely JSON.",
    why: "Models and people skip a JSON list of problems, and it costs many tokens.",
    fix: { text: "`guard` writes what is wrong with each argument as a sentence.", code: GUARD_FIX },
    source: "sdk",
    run: (view) =>
      judgeEach(writtenFailures(view), {
        nothing: NO_FAILURE,
        wrong: (failure) =>
          isIssueDump(failure)
            ? `The text of the answer to ${sentPhrase(failure.exchange)} is a list of problems in JSON.`
            : undefined,
      }),
  },
  {
    id: "message-prefix",
    category: "identity",
    severity: "low",
    title: "The message of a failure does not begin with its code.",
    failsWhen: "A text begins with “MCP error -32602:” or with another code.",
    why: "Clients on SDK 1.x add the same prefix again.",
    fix: { text: "`guard` sends the sentence without a prefix.", code: GUARD_FIX },
    source: "sdk",
    run: (view) =>
      judgeEach(writtenFailures(view), {
        nothing: NO_FAILURE,
        wrong: ({ exchange, text }) =>
          PREFIX.test(text)
            ? `The text of the answer to ${sentPhrase(exchange)} begins with its code: ${quoteText(text, 40)}.`
            : undefined,
      }),
  },
  {
    id: "unknown-tool-suggests",
    category: "identity",
    severity: "low",
    title: "The refusal of a misspelt tool name suggests the right one.",
    failsWhen: "The probe sends a tool name with one wrong letter, and the answer does not contain the real name.",
    notCounted: "A refusal because of missing credentials: it must not reveal names.",
    why: "Without a suggestion, one wrong letter costs the model a whole turn.",
    fix: { text: "`guard` names the most similar tools that the caller may see.", code: GUARD_FIX },
    source: "sdk",
    run: (view) =>
      judgeEach(
        select(view, "misspelt-tool").filter(
          ({ answer, tool }) => tool !== undefined && isRefused(answer) && !isDenied(answer),
        ),
        {
          nothing: "No misspelt tool was refused.",
          wrong: (exchange) => {
            const { tool = "", answer } = exchange;
            if (answer.kind !== "message" || answer.text.includes(tool)) return undefined;
            return `${subject(exchange)} is refused without naming the real tool.`;
          },
        },
      ),
  },
];

/** Names of members that programs branch on. */
const CODE_NAMES = /^(?:code|error_?code|kind|reason|type|error_?type|status|status_?code|category|name)$/i;
/** Names of lists in which each problem has its code. */
const LIST_NAMES = /^(?:errors|issues|problems|details)$/i;
/** A value that is a name and not a sentence. */
const CODE_VALUE = /^[\w./:-]{1,100}$/;
/** `_meta` members of the protocol itself: they are in every result. */
const PROTOCOL_KEY = /^(?:[a-z0-9-]+\.)?(?:modelcontextprotocol|mcp)(?:\.[a-z0-9-]+)*\//;

/** Whether a program can tell what failed without reading a sentence: there is a code, or data beside the text. */
function isMachineReadable(result: JsonObject): boolean {
  const beside = entriesOf(result["_meta"]).some(([key, value]) => !PROTOCOL_KEY.test(key) && isObject(value));
  if (beside || hasErrorCode(result["structuredContent"]) || hasErrorCode(result["error"])) return true;
  return arrayAt(result, "content").some((part) => hasErrorCode(parseJson(stringAt(part, "text"))));
}

function hasErrorCode(value: unknown): boolean {
  if (!isObject(value)) return false;
  return entriesOf(value).some(([key, member]) => {
    if (LIST_NAMES.test(key) && Array.isArray(member)) return member.some(hasErrorCode);
    if (CODE_NAMES.test(key))
      return typeof member === "number" || (typeof member === "string" && CODE_VALUE.test(member));
    return key === "error" && isObject(member) && hasErrorCode(member);
  });
}
