import { checkArguments } from "@recourse/core/schema";
import {
  hasHandshake,
  hasInputErrorRule,
  hasUnknownToolRule,
  memberAt,
  NEWEST_REVISIONS,
  parseJson,
  stringAt,
} from "@recourse/core/wire";
import type { RecordedExchange } from "../recording/recording.ts";
import {
  EDGE_FIX,
  type EraView,
  EXPRESS_EDGE_FIX,
  GUARD_FIX,
  judgeEach,
  type ProbeCheck,
  skipCheck,
  visibleText,
} from "./check.ts";
import {
  answerCode,
  answerError,
  answerResult,
  answerStatus,
  bodyKind,
  contentTexts,
  isDenied,
  isRefused,
  isToolFailure,
  select,
  subject,
} from "./exchanges.ts";
import { allFailures } from "./failures.ts";
import { findOutputSchema } from "./truthfulness.ts";

/** Requests that are wrong because of their caller. */
function callersMistakes(view: EraView): readonly RecordedExchange[] {
  return [
    ...select(view, "malformed-message"),
    ...select(view, "malformed-params"),
    ...select(view, "http-edge"),
    ...select(view, "credentials"),
    ...select(view, "unknown-version"),
    ...select(view, "unknown-method"),
    ...select(view, "unknown-tool"),
    ...select(view, "unknown-resource"),
    ...select(view, "unknown-prompt"),
    ...select(view, "wrong-arguments"),
  ].filter(({ answer }) => answerStatus(answer) !== undefined);
}

/** JSON that is sent by POST, and refused. */
function refusedPosts(view: EraView): readonly RecordedExchange[] {
  return [
    ...select(view, "malformed-message"),
    ...select(view, "http-edge", "foreign-origin", "foreign-host", "unknown-session", "empty-body"),
    ...select(view, "unknown-version", "header"),
  ].filter(({ answer }) => (answerStatus(answer) ?? 0) >= 400);
}

/** Answers about credentials may be in the JSON of OAuth. */
function isAuthJson({ answer }: RecordedExchange): boolean {
  return isDenied(answer) && answer.kind === "body" && parseJson(answer.text) !== undefined;
}

/** What a wrong HTTP request asks for. */
const STATUSES: Readonly<Record<string, number>> = { put: 405, "text-plain": 415 };

/** A tool that asks for what the client does not have is refused by the protocol, and so is one without permission. */
function isProtocolRefusal({ answer }: RecordedExchange): boolean {
  return isDenied(answer) || answerCode(answer) === -32021;
}

export const CHANNEL_CHECKS: readonly ProbeCheck[] = [
  {
    id: "unknown-tool-channel",
    category: "channel",
    severity: "info",
    title: "An unknown tool is refused with a JSON-RPC error.",
    failsWhen: "A call to an unknown tool gets a result with `isError`.",
    notCounted:
      "Protocol versions before 2025-06-18. This check is never scored: an open proposal would reverse the rule.",
    why: "With an error, a host can distinguish a tool that does not exist from one that failed.",
    fix: { text: "`guard` answers unknown tools with the error -32602.", code: GUARD_FIX },
    source: "sdk",
    run: (view) => {
      if (!hasUnknownToolRule(view.era.negotiated)) return skipCheck("This version of the protocol leaves it open.");
      return judgeEach(
        select(view, "unknown-tool").filter(({ answer }) => isRefused(answer) && !isDenied(answer)),
        {
          nothing: "No unknown tool was refused.",
          wrong: ({ answer }) =>
            isToolFailure(answer) ? "A call of an unknown tool is answered like a tool that failed." : undefined,
        },
      );
    },
  },
  {
    id: "args-channel",
    category: "channel",
    severity: "medium",
    title: "Wrong arguments get a result with `isError`.",
    failsWhen: "Wrong arguments get a JSON-RPC error instead of a result with `isError`.",
    notCounted:
      "Protocol versions before 2025-11-25, which do not specify it, and a refusal because of missing credentials.",
    why: "Hosts do not have to show JSON-RPC errors to the model, so it may not be able to correct its arguments.",
    fix: { text: "`guard` answers wrong arguments with `isError` and a text for the model.", code: GUARD_FIX },
    source: "yours",
    follows: ["args-checked-first"],
    run: (view) => {
      if (!hasInputErrorRule(view.era.negotiated)) return skipCheck("This version of the protocol leaves it open.");
      return judgeEach(
        select(view, "wrong-arguments").filter((one) => isRefused(one.answer) && !isProtocolRefusal(one)),
        {
          nothing: "No wrong arguments were refused.",
          wrong: (exchange) =>
            answerError(exchange.answer) === undefined
              ? undefined
              : `${subject(exchange)} is answered with the JSON-RPC error ${answerCode(exchange.answer) ?? ""}.`,
        },
      );
    },
  },
  {
    id: "tool-failure-channel",
    category: "channel",
    severity: "medium",
    title: "A tool that fails returns a result with `isError`.",
    failsWhen: "A valid call to a read-only tool gets a JSON-RPC error.",
    notCounted: "A refusal because of missing credentials, or because the client lacks a capability.",
    why: "Hosts do not have to show JSON-RPC errors to the model, so it may never learn what happened.",
    fix: { text: "Whatever a tool throws, `guard` answers with `isError`.", code: GUARD_FIX },
    source: "yours",
    run: (view) =>
      judgeEach(
        select(view, "valid-call").filter((one) => isRefused(one.answer) && !isProtocolRefusal(one)),
        {
          nothing: "No valid call failed.",
          wrong: (exchange) =>
            answerError(exchange.answer) === undefined
              ? undefined
              : `${subject(exchange)} fails with the JSON-RPC error ${answerCode(exchange.answer) ?? ""}.`,
        },
      ),
  },
  {
    id: "error-has-text",
    category: "channel",
    severity: "high",
    title: "Every result with `isError` has a text.",
    failsWhen: "A result of `tools/call` with `isError` has no text in its content.",
    notCounted: "Resources with `isError`: `resource-failure-channel` finds those.",
    why: "Without a text, the model does not learn what happened.",
    fix: {
      text: "Add a text to every result with `isError`, or throw an error: `guard` writes a text for errors that a tool throws, not for results that it returns.",
      code: `return { isError: true, content: [{ type: "text", text: "There is no such order." }] };`,
    },
    source: "yours",
    run: (view) =>
      judgeEach(
        allFailures(view).filter(
          ({ channel, exchange }) => channel === "tool" && stringAt(exchange.sent.message, "method") === "tools/call",
        ),
        {
          nothing: "No tool failed.",
          wrong: ({ exchange }) =>
            contentTexts(answerResult(exchange.answer) ?? {}).some((text) => text.trim() !== "")
              ? undefined
              : `${subject(exchange)} fails without any text.`,
        },
      ),
  },
  {
    id: "error-structured-valid",
    category: "channel",
    severity: "medium",
    title: "A failed tool call has no data that violates the output schema.",
    failsWhen: "A result with `isError` has `structuredContent` that does not match the tool's output schema.",
    notCounted: "2026-07-28, whose clients do not check it.",
    why: "Clients on SDK 1.x throw because of the data, and the failure itself is lost.",
    fix: {
      text: "Omit `structuredContent` from results with `isError`, or throw an error: `guard` puts its data into `_meta`, which has no schema.",
      code: `return { isError: true, content: [{ type: "text", text: "There is no such order." }] };`,
    },
    source: "yours",
    revisions: NEWEST_REVISIONS.filter(hasHandshake),
    run: (view) =>
      judgeEach(
        [...select(view, "wrong-arguments"), ...select(view, "valid-call")].filter(
          ({ answer, tool }) => isToolFailure(answer) && findOutputSchema(view, tool) !== undefined,
        ),
        {
          nothing: "No tool with an output schema failed.",
          wrong: (exchange) => {
            const data = memberAt(answerResult(exchange.answer), "structuredContent");
            const schema = findOutputSchema(view, exchange.tool) ?? {};
            if (data === undefined || checkArguments(data, schema).length === 0) return undefined;
            return `${subject(exchange)} fails with structuredContent that does not match the output schema of ${visibleText(exchange.tool ?? "", 60)}.`;
          },
        },
      ),
  },
  {
    id: "http-error-json",
    category: "channel",
    severity: "medium",
    title: "A refused POST has a JSON-RPC error in its body.",
    failsWhen:
      "A JSON request is refused with status 400 or higher, and the body is a page, a text, other JSON, or empty.",
    notCounted: "Any JSON with status 401 or 403, as in OAuth, and requests other than a POST with JSON.",
    why: "Without a JSON-RPC error, clients show “fetch failed” or a page instead of a reason.",
    fix: {
      text: "Let `guardHandler` answer every refusal. In Express, the last line replaces the pages of its own error handler.",
      code: EXPRESS_EDGE_FIX,
    },
    source: "yours",
    transport: "http",
    follows: ["leak-stack"],
    run: (view) =>
      judgeEach(refusedPosts(view), {
        nothing: "No JSON request was refused with an HTTP status.",
        wrong: (exchange) => {
          const { answer } = exchange;
          if (answer.kind !== "body" || isAuthJson(exchange)) return undefined;
          return `${subject(exchange)} is answered with status ${answerStatus(answer)} and ${bodyKind(answer)}.`;
        },
      }),
  },
  {
    id: "http-no-5xx",
    category: "channel",
    severity: "high",
    title: "A caller's mistake is not answered with a 5xx status.",
    failsWhen:
      "A broken message, malformed parameters, wrong arguments, an unknown name, an unusual HTTP request or wrong credentials get a 5xx status.",
    notCounted:
      "Deeply nested JSON and very long bodies, which have their own checks, and 501 for an unknown HTTP method.",
    why: "Proxies repeat requests that get a 5xx status, and alerts fire.",
    fix: { text: "`guardHandler` answers such requests with 4xx before your handler runs.", code: EDGE_FIX },
    source: "yours",
    transport: "http",
    run: (view) =>
      judgeEach(callersMistakes(view), {
        nothing: "No such request was answered over HTTP.",
        wrong: (exchange) => {
          const status = answerStatus(exchange.answer) ?? 0;
          const isFault = status >= 500 && !(status === 501 && exchange.stimulus === "http-edge");
          return isFault ? `${subject(exchange)} is answered with status ${status}.` : undefined;
        },
      }),
  },
  {
    id: "http-status",
    category: "channel",
    severity: "low",
    title: "Wrong methods get 405, and wrong content types 415.",
    failsWhen: "A PUT request does not get 405, or a text/plain request does not get 415.",
    notCounted: "A refusal because of missing credentials. The probe does not send GET, because it may open a stream.",
    why: "Proxies and monitoring read only the status.",
    fix: {
      text: "`guardHandler` answers wrong methods and content types with the right status. Route all methods to it.",
      code: EDGE_FIX,
    },
    source: "yours",
    transport: "http",
    follows: ["http-no-5xx"],
    run: (view) =>
      judgeEach(
        select(view, "http-edge", ...Object.keys(STATUSES)).filter(
          ({ answer }) => answerStatus(answer) !== undefined && !isDenied(answer),
        ),
        {
          nothing: "No such request was answered.",
          wrong: (exchange) => {
            const wanted = STATUSES[exchange.variant ?? ""];
            const status = answerStatus(exchange.answer);
            return status === wanted
              ? undefined
              : `${subject(exchange)} is answered with status ${status} in place of ${wanted}.`;
          },
        },
      ),
  },
];
