import { arrayAt, FAULT_KEY, integerAt, isObject, memberAt, objectAt, parseJson } from "@recourse/wire";
import type { Issue, IssueRule } from "../../fault/fault.ts";
import { invalid_arguments } from "../../reasons/library/tool.ts";
import { createDecoder } from "../define.ts";
import { type ExtensibleCodes, type ExtensibleDialect, type TableReason, withoutMembers } from "../dialect.ts";
import { firstText, splitReply } from "../envelope.ts";
import { applyLosses, carriedMeta, type Losses } from "../losses.ts";
import { afterPeerRead } from "../peer-fault.ts";
import { ruleCode } from "../zod.ts";
import { decodePlatica, fromErrors } from "./decode.ts";
import {
  bodyToRelay,
  encodePlatica,
  isArgumentFault,
  type PlaticaContext,
  type PlaticaWire,
  platicaRetryable,
  platicaSentence,
  toZod,
  zodCode,
  zodText,
} from "./encode.ts";
import {
  isWorkspaceSentence,
  PLATICA_RPC,
  PLATICA_STATUSES,
  type PlaticaRow,
  platicaRowFor,
  WORKSPACE_ROW,
} from "./table.ts";

const listCodes = (): readonly PlaticaRow[] => [
  ...Object.values<PlaticaRow>(PLATICA_STATUSES),
  ...Object.values<PlaticaRow>(PLATICA_RPC),
];

/**
 * The number is the status in the body, and fields of your own are members of the body. A relayed body and a list of wrong
 * arguments stay as they are.
 */
const platicaCodes: ExtensibleCodes<PlaticaWire, PlaticaContext> = {
  codeOf(fault, context = {}) {
    const hasNone = context.raw !== undefined || isArgumentFault(fault, context);
    return hasNone ? undefined : platicaRowFor(fault, context).code;
  },
  published: () => Object.fromEntries(listCodes().map((row) => [row.code, row.reason.id])),
  ranges: [[400, 599]],
  get reserved() {
    const own = "code error errors details issues retryable effect basis incident message data";
    const around = "result jsonrpc status headers body isError content structuredContent _meta";
    return `${own} ${around}`.split(" ");
  },
  find(wire) {
    const { result, status, headers, body } = splitReply(wire);
    const isResult = result?.["isError"] === true;
    const parsed = isResult ? parseJson(firstText(result)) : body;
    const found = { ...(isObject(parsed) && parsed), ...(isResult && objectAt(result, "structuredContent")) };
    const code = integerAt(found, "code");
    // A relayed body is the service's; the fault beside it counts.
    if (memberAt(result?.["_meta"], FAULT_KEY) !== undefined) return undefined;
    if (code === undefined || arrayAt(found, "issues").length > 0) return undefined;
    return {
      code,
      fields: found,
      restore(to, fields) {
        const restored = { ...withoutMembers(found, fields), code: to };
        if (isResult) return { result: { isError: true, structuredContent: restored, _meta: result["_meta"] } };
        return status === undefined ? restored : { status, headers, body: restored };
      },
    };
  },
  replace(wire, { code, fields, effect }) {
    if (!("result" in wire)) return wire;
    const structuredContent = { ...wire.result.structuredContent, code, ...fields };
    return {
      result: {
        ...wire.result,
        content: [{ type: "text", text: JSON.stringify(structuredContent) }],
        structuredContent,
        ...(effect && { _meta: { ...wire.result._meta, ...carriedMeta({ effect }) } }),
      },
    };
  },
};

/** What a fault is written as: the row of its status or code, or the list of wrong arguments. */
interface PlaticaForm extends Partial<PlaticaRow> {
  readonly reason: TableReason;
  readonly sentence: string;
}

/** Kinds that share a status and rules that share a Zod code become one. The quote is the message, or the lines about the arguments. */
const PLATICA_LOSSES: Losses<PlaticaForm, PlaticaContext> = {
  row(fault, context) {
    if (isArgumentFault(fault, context)) {
      const lines = (fault.issues ?? []).map((issue) => zodText(toZod(issue)));
      return { reason: invalid_arguments, sentence: lines.join("\n").replaceAll("\n", "; ") };
    }
    const row = platicaRowFor(fault, context);
    const sentence = platicaSentence(fault, row);
    return { ...(row.code === 400 && isWorkspaceSentence(sentence) ? WORKSPACE_ROW : row), sentence };
  },
  quote: (_fault, { sentence }) => sentence,
  narrowed: {
    retry(fault, { retry }) {
      const allowed = platicaRetryable(fault, retry).retryable ?? retry;
      return allowed === undefined ? undefined : { allowed };
    },
    issues: (fault, { code = 0 }) => (code < 0 ? undefined : fault.issues?.map(issueAfterRoundTrip)),
  },
};

/** Rules whose message or note is read even if the code is that of alternatives. */
const KEPT_IN_UNIONS: readonly IssueRule[] = ["required", "choice"];

function ruleAfterRoundTrip(rule: IssueRule, code: string): IssueRule {
  if (code === "custom") return "custom";
  return code === "invalid_union" && !KEPT_IN_UNIONS.includes(rule) ? "type" : rule;
}

/** Zod has fewer codes than a fault has rules. Rules without a code become `custom`. */
function issueAfterRoundTrip(issue: Issue): Issue {
  // A sentence of an author stands where the validator's does, and is read as such.
  const [said] = issue.message === undefined ? [] : fromErrors([toZod(issue)]);
  if (said !== undefined) return said;
  const { pointer, expected, keys } = issue;
  const written = zodCode(issue);
  const rule = ruleAfterRoundTrip(issue.rule, written);
  const code = ruleCode(rule, written);
  return {
    pointer,
    rule,
    ...(expected !== undefined && { expected }),
    ...(code !== undefined && { code }),
    ...(rule === "unknown" && keys !== undefined && { keys }),
  };
}

/**
 * Platica: the answer of a REST API as a failed tool result, and JSON-RPC errors for requests that cannot be served.
 *
 * The reason of the status or code, whether to retry, the pointer, rule and expectation of every issue, effect and
 * basis survive a round trip; the message becomes a quote; waits, suggestions, params, limits, origin, attempts, cause,
 * ids and time are lost. With `raw`, the body of the REST answer is passed on untouched, and the fault itself stands beside it.
 *
 * @example
 * import { rest } from "@recourse/faults";
 * import { platica } from "@recourse/faults/dialects";
 *
 * const { fault } = rest.wrong_state();
 * const wire = platica.encode(fault);
 * // { result: { isError: true, content: […], structuredContent: { code: 422, error: "…" } } }
 * platica.decode(wire)?.kind; // "precondition_failed"
 */
export const platica: ExtensibleDialect<PlaticaWire, PlaticaContext> = {
  name: "platica",
  encode: encodePlatica,
  decode: createDecoder(decodePlatica),
  // Beside a relayed body, the fault itself is sent.
  afterRoundTrip: (fault, context = {}) =>
    bodyToRelay(context) === undefined ? applyLosses(PLATICA_LOSSES, fault, context) : afterPeerRead(fault),
  codes: platicaCodes,
};
