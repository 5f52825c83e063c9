import { checkArguments } from "@recourse/faults/schema";
import {
  hasHandshake,
  hasInputErrorRule,
  hasUnknownToolRule,
  memberAt,
  NEWEST_REVISIONS,
  parseJson,
  stringAt,
} from "@recourse/wire";
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
    failsWhen: "A call of an unknown tool is answered with a failed tool.",
    notCounted: "Protocol versions before 2025-06-18. It is never scored: an open proposal would turn the rule around.",
    why: "A host can tell a tool that does not exist from one that failed.",
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
    title: "Wrong arguments are answered as a failed tool.",
    failsWhen: "Wrong arguments are answered with a JSON-RPC error in place of a result with `isError`.",
    notCounted: "Protocol versions before 2025-11-25, which left it open, and a refusal for missing credentials.",
    why: "Hosts need not show JSON-RPC errors to the model, so it cannot correct its arguments.",
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
    title: "A tool that fails is answered as a failed tool.",
    failsWhen: "A valid call of a tool that only reads is answered with a JSON-RPC error.",
    notCounted: "A refusal for missing credentials, or for a capability that the client lacks.",
    why: "Hosts need not show JSON-RPC errors to the model, so it never learns what happened.",
    fix: { text: "`guard` answers with `isError` whatever a tool throws.", code: GUARD_FIX },
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
    title: "Every failed tool has a text.",
    failsWhen: "A result of `tools/call` with `isError` has no text in its content.",
    notCounted: "Resources with `isError`: `resource-failure-channel` finds those.",
    why: "The model reads nothing.",
    fix: {
      text: "Give every result with `isError` a text, or throw: `guard` writes a text for what a tool throws, not for a result that it returns.",
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
    title: "A failed tool has no data that breaks its output schema.",
    failsWhen: "A result with `isError` has `structuredContent` that does not match the tool's output schema.",
    notCounted: "2026-07-28, whose clients do not check it.",
    why: "Clients of SDK 1.x throw on the data, and the failure itself is lost.",
    fix: {
      text: "Leave `structuredContent` out of the failed results that a tool returns, or throw: `guard` puts the data of what is thrown into `_meta`, where no schema applies.",
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
      "A JSON request is refused with a status from 400, and the body is a page, a text, other JSON, or empty.",
    notCounted: "Any JSON with status 401 or 403, as OAuth has it, and requests that are not JSON by POST.",
    why: "Clients show “fetch failed” or a page in place of a reason.",
    fix: {
      text: "Let the edge write every refusal. In Express the last line replaces the pages of its own error handler.",
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
    title: "A mistake of the caller is not answered with a status from 500.",
    failsWhen:
      "A broken message, malformed parameters, wrong arguments, an unknown name, an odd HTTP request or wrong credentials get a status from 500.",
    notCounted:
      "Deeply nested JSON and very long bodies, which have their own checks, and 501 for an unknown HTTP method.",
    why: "Proxies repeat such requests, and alarms ring.",
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
    failsWhen: "A PUT request is not answered with 405, or a text/plain request not with 415.",
    notCounted: "A refusal for missing credentials. GET may open a stream, so it is not sent.",
    why: "The status is the only thing that proxies and monitors read.",
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
