import { checkArguments, memberAt, parseJson, stringAt } from "@recourse/faults/internal-do-not-use";
import type { Exchange } from "../recording/recording.ts";
import type { Check, EraView } from "./check.ts";
import {
  codeOf,
  contentTexts,
  errorOf,
  isDenied,
  isRefusal,
  isToolFailure,
  of,
  resultOf,
  statusOf,
} from "./exchanges.ts";
import { failuresOf } from "./failures.ts";
import { EDGE, EDGE_ON_EXPRESS, GUARD } from "./fixes.ts";
import { judge, skipped, visible } from "./results.ts";
import { outputSchemaOf } from "./truthfulness.ts";
import { startWith } from "./what-was-sent.ts";

/** Requests that are wrong because of their caller. */
function callersMistakes(view: EraView): readonly Exchange[] {
  return [
    ...of(view, "malformed-message"),
    ...of(view, "malformed-params"),
    ...of(view, "http-edge"),
    ...of(view, "credentials"),
    ...of(view, "unknown-version"),
  ].filter(({ answer }) => statusOf(answer) !== undefined);
}

/** JSON that is sent by POST, and refused. */
function refusedPosts(view: EraView): readonly Exchange[] {
  return [
    ...of(view, "malformed-message"),
    ...of(view, "http-edge", "foreign-origin", "foreign-host", "unknown-session", "empty-body"),
    ...of(view, "unknown-version", "header"),
  ].filter(({ answer }) => (statusOf(answer) ?? 0) >= 400);
}

/** Answers about credentials may be in the JSON of OAuth. */
function isAuthJson({ answer }: Exchange): boolean {
  return isDenied(answer) && answer.kind === "body" && parseJson(answer.text) !== undefined;
}

/** What a wrong HTTP request asks for. */
const STATUSES: Readonly<Record<string, number>> = { put: 405, "text-plain": 415 };

/** A tool that asks for what the client does not have is refused by the protocol, and so is one without permission. */
function isProtocolRefusal({ answer }: Exchange): boolean {
  return isDenied(answer) || codeOf(answer) === -32021;
}

export const CHANNEL: readonly Check[] = [
  {
    id: "unknown-tool-channel",
    category: "channel",
    severity: "info",
    title: "An unknown tool is refused with a JSON-RPC error.",
    failsWhen: "A call of an unknown tool is answered with a failed tool.",
    notCounted: "Protocol versions before 2025-06-18. It is never scored: an open proposal would turn the rule around.",
    why: "A host can tell a tool that does not exist from one that failed.",
    fix: { text: "`guard` answers unknown tools with the error -32602.", code: GUARD },
    source: "sdk",
    run: (view) => {
      if (view.era.negotiated < "2025-06-18") return skipped("This version of the protocol leaves it open.");
      return judge(
        of(view, "unknown-tool").filter(({ answer }) => isRefusal(answer) && !isDenied(answer)),
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
    fix: { text: "`guard` answers wrong arguments with `isError` and a text for the model.", code: GUARD },
    source: "yours",
    follows: ["args-checked-first"],
    run: (view) => {
      if (view.era.negotiated < "2025-11-25") return skipped("This version of the protocol leaves it open.");
      return judge(
        of(view, "wrong-arguments").filter((one) => isRefusal(one.answer) && !isProtocolRefusal(one)),
        {
          nothing: "No wrong arguments were refused.",
          wrong: (exchange) =>
            errorOf(exchange.answer) === undefined
              ? undefined
              : `${startWith(exchange)} is answered with the JSON-RPC error ${codeOf(exchange.answer) ?? ""}.`,
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
    fix: { text: "`guard` answers with `isError` whatever a tool throws.", code: GUARD },
    source: "yours",
    run: (view) =>
      judge(
        of(view, "valid-call").filter((one) => isRefusal(one.answer) && !isProtocolRefusal(one)),
        {
          nothing: "No valid call failed.",
          wrong: (exchange) =>
            errorOf(exchange.answer) === undefined
              ? undefined
              : `${startWith(exchange)} fails with the JSON-RPC error ${codeOf(exchange.answer) ?? ""}.`,
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
    fix: { text: "`guard` gives every failed tool a text.", code: GUARD },
    source: "yours",
    run: (view) =>
      judge(
        failuresOf(view).filter(
          ({ channel, exchange }) => channel === "tool" && stringAt(exchange.sent.message, "method") === "tools/call",
        ),
        {
          nothing: "No tool failed.",
          wrong: ({ exchange }) =>
            contentTexts(resultOf(exchange.answer) ?? {}).some((text) => text.trim() !== "")
              ? undefined
              : `${startWith(exchange)} fails without any text.`,
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
    fix: { text: "`guard` puts the data of failures into `_meta`, where no schema applies.", code: GUARD },
    source: "yours",
    revisions: ["2025-11-25"],
    run: (view) =>
      judge(
        [...of(view, "wrong-arguments"), ...of(view, "valid-call")].filter(
          ({ answer, tool }) => isToolFailure(answer) && outputSchemaOf(view, tool) !== undefined,
        ),
        {
          nothing: "No tool with an output schema failed.",
          wrong: (exchange) => {
            const data = memberAt(resultOf(exchange.answer), "structuredContent");
            const schema = outputSchemaOf(view, exchange.tool) ?? {};
            if (data === undefined || checkArguments(data, schema).length === 0) return undefined;
            return `${startWith(exchange)} fails with structuredContent that does not match the output schema of ${visible(exchange.tool ?? "", 60)}.`;
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
      code: EDGE_ON_EXPRESS,
    },
    source: "yours",
    transport: "http",
    follows: ["leak-stack"],
    run: (view) =>
      judge(refusedPosts(view), {
        nothing: "No JSON request was refused with an HTTP status.",
        wrong: (exchange) => {
          const { answer } = exchange;
          if (answer.kind !== "body" || isAuthJson(exchange)) return undefined;
          return `${startWith(exchange)} is answered with status ${statusOf(answer)} and ${bodyKind(answer)}.`;
        },
      }),
  },
  {
    id: "http-no-5xx",
    category: "channel",
    severity: "high",
    title: "A mistake of the caller is not answered with a status from 500.",
    failsWhen:
      "A broken message, malformed parameters, an odd HTTP request or wrong credentials get a status from 500.",
    notCounted:
      "Deeply nested JSON and very long bodies, which have their own checks, and 501 for an unknown HTTP method.",
    why: "Proxies repeat such requests, and alarms ring.",
    fix: { text: "`guardHandler` answers such requests with 4xx before your handler runs.", code: EDGE },
    source: "yours",
    transport: "http",
    run: (view) =>
      judge(callersMistakes(view), {
        nothing: "No such request was answered over HTTP.",
        wrong: (exchange) => {
          const status = statusOf(exchange.answer) ?? 0;
          const isFault = status >= 500 && !(status === 501 && exchange.variant === "put");
          return isFault ? `${startWith(exchange)} is answered with status ${status}.` : undefined;
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
      code: EDGE,
    },
    source: "yours",
    transport: "http",
    follows: ["http-no-5xx"],
    run: (view) =>
      judge(
        of(view, "http-edge", ...Object.keys(STATUSES)).filter(
          ({ answer }) => statusOf(answer) !== undefined && !isDenied(answer),
        ),
        {
          nothing: "No such request was answered.",
          wrong: (exchange) => {
            const wanted = STATUSES[exchange.variant ?? ""];
            const status = statusOf(exchange.answer);
            return status === wanted
              ? undefined
              : `${startWith(exchange)} is answered with status ${status} in place of ${wanted}.`;
          },
        },
      ),
  },
];

function bodyKind(answer: Extract<Exchange["answer"], { kind: "body" }>): string {
  const text = answer.text.trim();
  if (text === "") return "no body";
  if (parseJson(text) !== undefined) return "JSON that is no JSON-RPC error";
  return /^<|html/i.test(text.slice(0, 200)) ? "a page" : "a text that is no JSON";
}
