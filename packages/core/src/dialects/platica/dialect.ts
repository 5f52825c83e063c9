import type { FaultDetails } from "../../fault/build.ts";
import { FAULT_LIMITS, type Fault, type Issue } from "../../fault/fault.ts";
import type { ReasonOptions } from "../../reasons/build-safely.ts";
import { invalid_arguments } from "../../reasons/library/tool.ts";
import {
  arrayAt,
  booleanAt,
  integerAt,
  isObject,
  type JsonObject,
  memberAt,
  objectAt,
  parseJson,
  stringAt,
} from "../../wire/json.ts";
import { FAULT_KEY } from "../../wire/names.ts";
import { readCarriedMembers } from "../carried-members.ts";
import { createDecoder } from "../define.ts";
import type { DecodeContext, Dialect, DialectCodes } from "../dialect.ts";
import { firstText, type ReplyParts, splitReply } from "../envelope.ts";
import { readPeerFault } from "../peer-fault.ts";
import { joinSentences, peerQuote } from "../sentence.ts";
import { fromZod, MAX_ZOD_MESSAGE } from "../zod.ts";
import { encodePlatica, isArgumentFault, type PlaticaContext, type PlaticaWire } from "./encode.ts";
import {
  PLATICA_RPC,
  PLATICA_SENTENCES,
  PLATICA_STATUSES,
  type PlaticaRow,
  platicaRowFor,
  platicaRowOfStatus,
  ZOD_MESSAGES,
} from "./table.ts";

/**
 * Recognises a failed result whose `structuredContent` is a REST body with a status, or a list of Zod issues, and a JSON-RPC
 * error by its sentence.
 */
export function isPlaticaReply({ result, error }: ReplyParts): boolean {
  if (error !== undefined && result?.["isError"] !== true)
    return PLATICA_SENTENCES[error.code]?.test(error.message ?? "") === true;
  const content = objectAt(result, "structuredContent");
  const status = integerAt(content, "code") ?? 0;
  const isBody = status >= 400 && status <= 599 && stringAt(content, "error") !== undefined;
  return result?.["isError"] === true && (isBody || arrayAt(content, "issues").some(isZodIssue));
}

function isZodIssue(issue: unknown): boolean {
  return isObject(issue) && "path" in issue && stringAt(issue, "code") !== undefined;
}

/** Reads a failed tool result, a body of the REST API alone or in its HTTP reply, and Platica's JSON-RPC errors. */
export function decodePlatica(wire: unknown, context: DecodeContext = {}): Fault | undefined {
  const { result, error, headers, body } = splitReply(wire);
  const rpc = Object.values<PlaticaRow>(PLATICA_RPC).find((row) => row.code === error?.code);
  if (rpc !== undefined && error !== undefined) {
    const retry = platicaRetry(error.data, rpc, undefined);
    return rpc.reason.fault(
      {},
      { ...context, ...readCarriedMembers(error.data), ...peerQuote(error.message), ...retry },
    );
  }
  if (result?.["isError"] === true) {
    const stated = readPeerFault(memberAt(result["_meta"], FAULT_KEY), context);
    if (stated !== undefined) return stated;
    return fromPlaticaResult(result, { ...context, ...readCarriedMembers(objectAt(result, "_meta")) });
  }
  // Without `isError`, only the members of a REST body show a failure.
  const isBody = stringAt(body, "error") !== undefined || arrayAt(body, "errors").length > 0;
  if (!isObject(body) || !isBody) return undefined;
  return fromPlaticaBody(body, { ...context, ...readCarriedMembers(body) }, readRetryAfter(headers));
}

function fromPlaticaResult(result: JsonObject, options: ReasonOptions): Fault | undefined {
  const text = firstText(result);
  const structured = objectAt(result, "structuredContent");
  const parsed = parseJson(text);
  const body = { ...(isObject(parsed) && parsed), ...structured };
  const issues = fromErrors(arrayAt(body, "issues").filter(isObject));
  if (integerAt(body, "code") !== undefined || issues.length === 0) return fromPlaticaBody(body, options);
  const quote = peerQuote(isObject(parsed) ? undefined : text?.replaceAll("\n", "; "));
  return invalid_arguments.fault({}, { ...options, ...quote, ...platicaRetry(body, undefined, undefined), issues });
}

/** Reads a REST body: its status, its sentences, and the arguments that it reports as wrong. */
function fromPlaticaBody(body: JsonObject, options: ReasonOptions, waitMs?: number): Fault | undefined {
  const sentence = stringAt(body, "error");
  const row = platicaRowOfStatus(integerAt(body, "code") ?? 0, sentence);
  if (row === undefined) return undefined;
  const details = stringAt(body, "details");
  // Details without a letter, such as an ellipsis, say nothing.
  const more = details !== undefined && /\p{L}/u.test(details) ? details : undefined;
  const issues = fromErrors(arrayAt(body, "errors"));
  return row.reason.fault(
    {},
    {
      ...options,
      ...peerQuote(joinSentences([sentence, more], options)),
      ...platicaRetry(body, row, waitMs),
      ...(issues.length > 0 && { issues }),
    },
  );
}

function platicaRetry(
  from: unknown,
  row: PlaticaRow | undefined,
  waitMs: number | undefined,
): Pick<FaultDetails, "retry"> {
  const allowed = booleanAt(from, "retryable") ?? row?.retry;
  if (allowed === undefined) return {};
  return { retry: { allowed, ...(allowed && waitMs !== undefined && { afterMs: waitMs }) } };
}

/** The wait in the header `Retry-After`, if it is a number of seconds. */
function readRetryAfter(headers: JsonObject | undefined): number | undefined {
  const value = stringAt(headers, "retry-after") ?? stringAt(headers, "Retry-After");
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) * 1_000 : undefined;
}

/**
 * Reads the `errors` of a REST body: Zod issues, objects with `field`, or lines `path: message`.
 * A message that states no expectation becomes the expectation, because an issue has no other place for it.
 */
export function fromErrors(values: readonly unknown[]): Issue[] {
  return values.slice(0, FAULT_LIMITS.issues).flatMap((value) => {
    const error = typeof value === "string" ? splitLine(value) : value;
    if (!isObject(error)) return [];
    const issue = fromZod(error);
    const message = (stringAt(error, "message") ?? "").slice(0, MAX_ZOD_MESSAGE).replace(/,? received .*$/i, "");
    const isKnown = message === "" || Object.values(ZOD_MESSAGES).some((known) => message.startsWith(known));
    return [issue.expected !== undefined || isKnown ? issue : { ...issue, expected: message }];
  });
}

function splitLine(line: string): JsonObject | undefined {
  const [, path, message] = /^([\p{L}\p{N}_$.[\]-]{1,200}): (.*)$/u.exec(line.slice(0, 500)) ?? [];
  return path === undefined ? undefined : { path, message };
}

const listCodes = (): readonly PlaticaRow[] => [
  ...Object.values<PlaticaRow>(PLATICA_STATUSES),
  ...Object.values<PlaticaRow>(PLATICA_RPC),
];

/** The status in the body. A relayed body and a list of wrong arguments have none of ours. */
const platicaCodes: DialectCodes<PlaticaContext> = {
  codeOf(fault, context = {}) {
    const hasNone = context.raw !== undefined || isArgumentFault(fault, context);
    return hasNone ? undefined : platicaRowFor(fault, context).code;
  },
  published: () => Object.fromEntries(listCodes().map((row) => [row.code, row.reason.id])),
};

/**
 * Platica: the answer of a REST API as a failed tool result, and JSON-RPC errors for requests that cannot be served.
 *
 * The reason of the status or code, whether to retry, the pointer, rule and expectation of every issue, effect and
 * basis survive a round trip; the message becomes a quote; waits, suggestions, params, limits, origin, attempts, cause,
 * ids and time are lost. With `raw`, the body of the REST answer is passed on untouched, and the fault itself stands beside it.
 *
 * @example
 * import { rest } from "@recourse/faults/reasons";
 * import { platica } from "@recourse/dialects/platica";
 *
 * const { fault } = rest.wrong_state();
 * const wire = platica.encode(fault);
 * // { result: { isError: true, content: […], structuredContent: { code: 422, error: "…" } } }
 * platica.decode(wire)?.kind; // "precondition_failed"
 */
export const platica: Dialect<PlaticaWire, PlaticaContext> & { readonly codes: DialectCodes<PlaticaContext> } = {
  name: "platica",
  encode: encodePlatica,
  decode: createDecoder(decodePlatica),
  codes: platicaCodes,
};
