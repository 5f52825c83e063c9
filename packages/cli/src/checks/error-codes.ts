import { FIXED_STATUS, NEWEST_REVISIONS, objectAt, reservesCodes, stringAt } from "@recourse/core/wire";
import type { RecordedExchange, StimulusName } from "../recording/recording.ts";
import { type EraView, GUARD_FIX, judgeEach, NODE_EDGE_FIX, type ProbeCheck, visibleText } from "./check.ts";
import { answerCode, answerError, answerStatus, isDenied, select, subject } from "./exchanges.ts";
import { allFailures, type FailedExchange, judgedFailures } from "./failures.ts";
import { hasRuntimeText } from "./leak.ts";

const NO_ERROR = "No request was answered with a JSON-RPC error.";

const rpcFailures = (view: EraView) => allFailures(view).filter(({ channel }) => channel === "rpc");

/** Codes that the protocol gives a meaning of their own, and requests that cannot mean it. */
const FIXED_CODES: Readonly<Record<number, string>> = {
  [-32020]: "headers that do not match the message",
  [-32021]: "a missing capability of the client",
  [-32022]: "an unsupported version of the protocol",
};
const ORDINARY_STIMULI: readonly StimulusName[] = [
  "unknown-tool",
  "prototype-name",
  "misspelt-tool",
  "unknown-resource",
  "unknown-prompt",
  "unknown-completion",
  "unknown-method",
];

/** What is wrong with the number of a code, by the rules of an era. */
function reservedCode({ exchange, code }: FailedExchange, { era }: EraView): string | undefined {
  if (code === undefined) return undefined;
  const newer = reservesCodes(era.revision);
  const retired = code === -32002 || code === -32042;
  const reserved = code <= -32023 && code >= -32099;
  if (newer ? retired || reserved : reserved && !retired)
    return `${subject(exchange)} is answered with ${code}, which the protocol reserves.`;
  const meaning = FIXED_CODES[code];
  if (!newer || meaning === undefined || !ORDINARY_STIMULI.includes(exchange.stimulus)) return undefined;
  return `${subject(exchange)} is answered with ${code}, which means ${meaning}.`;
}

/** The capability that a method belongs to. Without it, "method not found" is the right answer. */
const METHOD_CAPABILITIES: readonly (readonly [prefix: string, capability: string])[] = [
  ["tools/", "tools"],
  ["resources/", "resources"],
  ["prompts/", "prompts"],
  ["completion/", "completions"],
  ["logging/", "logging"],
];

function isOffered({ sent }: RecordedExchange, { era }: EraView): boolean {
  const method = stringAt(sent.message, "method") ?? "";
  const capability = METHOD_CAPABILITIES.find(([prefix]) => method.startsWith(prefix))?.[1];
  return capability === undefined || objectAt(era.capabilities, capability) !== undefined;
}

/** Codes that blame the caller's parameters, or the request as a whole. */
const BLAMES_REQUEST = [-32602, -32600, -32601];

/** Checks of the codes of errors. */
export const ERROR_CODE_CHECKS: readonly ProbeCheck[] = [
  {
    id: "code-integer",
    category: "identity",
    severity: "high",
    title: "Every JSON-RPC error has an integer as its code.",
    failsWhen: "`error.code` is missing, a string or a fraction.",
    notCounted: "Bodies that are not JSON-RPC, such as JSON from a proxy.",
    why: "Clients drop an error whose code is not an integer, so the caller waits until it times out.",
    fix: { text: "`guard` gives every failure the code that the protocol defines for it.", code: GUARD_FIX },
    source: "yours",
    run: (view) =>
      judgeEach(rpcFailures(view), {
        nothing: NO_ERROR,
        wrong: ({ exchange }) => {
          const code = answerError(exchange.answer)?.["code"];
          if (Number.isInteger(code)) return undefined;
          const shown = code === undefined ? "no code" : `the code ${visibleText(JSON.stringify(code) ?? "", 40)}`;
          return `${subject(exchange)} is answered with ${shown}, which is no whole number.`;
        },
      }),
  },
  {
    id: "code-reserved",
    category: "identity",
    severity: "high",
    title: "No error uses a code that the protocol reserves.",
    failsWhen:
      "A code is between -32023 and -32099. In 2026-07-28, also -32002 and -32042, and -32020, -32021 or -32022 for anything but their defined cause.",
    notCounted: "-32002 and -32042 in the older era, which allows them.",
    why: "Clients give reserved codes a fixed meaning, so they react in the wrong way.",
    fix: {
      text: "`guard` and `guardHandler` use only codes that the protocol defines for the failure.",
      code: GUARD_FIX,
    },
    source: "yours",
    run: (view) => judgeEach(rpcFailures(view), { nothing: NO_ERROR, wrong: (failure) => reservedCode(failure, view) }),
  },
  {
    id: "code-legacy-range",
    category: "identity",
    severity: "low",
    title: "No error uses a code from the old private range.",
    failsWhen: "A code is between -32000 and -32019.",
    notCounted: "The older era, in which servers could use the range freely.",
    why: "Clients must not give these codes any meaning, so they cannot act on them.",
    fix: {
      text: "`guardHandler` replaces the codes that the official SDK sends at its HTTP edge. On Node.js, use `toNodeListener` to pass requests to it: an adapter that reads the body first answers before `guardHandler` can.",
      code: NODE_EDGE_FIX,
    },
    source: "sdk",
    revisions: NEWEST_REVISIONS.filter(reservesCodes),
    run: (view) =>
      judgeEach(rpcFailures(view), {
        nothing: NO_ERROR,
        wrong: ({ exchange, code = 0 }) =>
          code <= -32000 && code >= -32019 && code !== -32002
            ? `${subject(exchange)} is answered with ${code}, a code of the old private range.`
            : undefined,
      }),
  },
  {
    id: "code-process",
    category: "identity",
    severity: "medium",
    title: "The exit status of a process is not used as an error code.",
    failsWhen: "A code is between 0 and 255, and the text contains the words of a runtime or a shell.",
    notCounted: "Your own codes with your own text: the check fails only if both signs are present.",
    why: "A number from a shell or the operating system means nothing to a client.",
    fix: { text: "`guard` does not pass on the `code` of a thrown error.", code: GUARD_FIX },
    source: "yours",
    run: (view) =>
      judgeEach(
        judgedFailures(view).filter(({ channel }) => channel === "rpc"),
        {
          nothing: NO_ERROR,
          wrong: ({ exchange, code, rest }) =>
            code !== undefined && code >= 0 && code <= 255 && hasRuntimeText(rest)
              ? `${subject(exchange)} is answered with ${code}, the number of a process or of the system.`
              : undefined,
        },
      ),
  },
  {
    id: "unknown-tool-code",
    category: "identity",
    severity: "high",
    title: "An unknown tool is refused with -32602.",
    failsWhen: "A call to an unknown tool gets a JSON-RPC error with another code.",
    notCounted:
      "A result with `isError` instead of an error, a refusal because of missing credentials, and -32601 from a server without tools.",
    why: "-32601 says that the server has no tools at all, and -32603 says that the server is broken.",
    fix: { text: "`guard` answers calls to unknown tools with -32602 and the most similar names.", code: GUARD_FIX },
    source: "yours",
    run: (view) =>
      judgeEach(
        select(view, "unknown-tool").filter((exchange) => {
          const code = answerError(exchange.answer)?.["code"];
          const hasNoTools = code === -32601 && !isOffered(exchange, view);
          return answerError(exchange.answer) !== undefined && !isDenied(exchange.answer) && !hasNoTools;
        }),
        {
          nothing: "No call of an unknown tool was answered with a JSON-RPC error.",
          wrong: ({ answer }) => {
            const code = answerError(answer)?.["code"];
            return code === -32602 ? undefined : `A call of an unknown tool is answered with ${shownCode(code)}.`;
          },
        },
      ),
  },
  {
    id: "unknown-method-code",
    category: "identity",
    severity: "high",
    title: "An unknown method is refused with -32601.",
    failsWhen:
      "The method `recourse/probe` gets any other answer. In 2026-07-28 over HTTP, the check also fails without status 404.",
    notCounted: "A refusal for missing credentials.",
    why: "Clients use this code to find out what a server supports.",
    fix: {
      text: "`guard` answers unknown methods as the protocol requires; over HTTP, `guardHandler` adds the status.",
      code: GUARD_FIX,
    },
    source: "yours",
    run: (view) =>
      judgeEach(
        select(view, "unknown-method").filter(
          ({ answer }) => (answer.kind === "message" || (answerStatus(answer) ?? 0) >= 400) && !isDenied(answer),
        ),
        { nothing: "The unknown method was not answered.", wrong: (one) => wrongMethodAnswer(one, view) },
      ),
  },
  {
    id: "invalid-params-code",
    category: "identity",
    severity: "medium",
    title: "Malformed parameters are refused as the caller's mistake.",
    failsWhen: "Parameters that violate the protocol are answered with -32603 or with a code of your own.",
    notCounted: "-32600 and -32601, methods whose capability the server does not declare, and results with `isError`.",
    why: "With any other code, the host blames the server for the caller's mistake and tries again.",
    fix: {
      text: "`guard` answers malformed parameters with -32602, even if the SDK itself fails on them.",
      code: GUARD_FIX,
    },
    source: "sdk",
    run: (view) =>
      judgeEach(
        select(view, "malformed-params").filter((one) => answerCode(one.answer) !== undefined && isOffered(one, view)),
        {
          nothing: "No malformed parameters were answered with a JSON-RPC error.",
          wrong: (exchange) => {
            const code = answerCode(exchange.answer) ?? 0;
            // Codes of the range that JSON-RPC reserves for servers are judged by their own checks.
            const judgedElsewhere = code <= -32000 && code >= -32099;
            if (BLAMES_REQUEST.includes(code) || judgedElsewhere) return undefined;
            return `${subject(exchange)} is answered with ${code}, which does not blame the caller.`;
          },
        },
      ),
  },
];

function shownCode(code: unknown): string {
  return typeof code === "number" ? String(code) : `the code ${visibleText(JSON.stringify(code) ?? "undefined", 40)}`;
}

function wrongMethodAnswer({ answer }: RecordedExchange, { era, recording }: EraView): string | undefined {
  const error = answerError(answer);
  if (answer.kind === "body")
    return `A request with an unknown method is answered with status ${answerStatus(answer)} and no JSON-RPC error.`;
  if (error === undefined) return "A request with an unknown method is answered with a result.";
  if (error["code"] !== -32601) return `A request with an unknown method is answered with ${shownCode(error["code"])}.`;
  const status = answerStatus(answer);
  const needsStatus = FIXED_STATUS[era.revision][-32601] === 404 && recording.target.transport === "http";
  if (!needsStatus || status === 404) return undefined;
  return `A request with an unknown method is answered with status ${status} in place of 404.`;
}
