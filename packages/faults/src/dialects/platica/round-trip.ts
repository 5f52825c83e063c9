import type { Fault, Issue } from "../../fault/fault.ts";
import { invalid_arguments } from "../../reasons/library/tool.ts";
import { relayBody } from "../../safety/redact-json.ts";
import { certaintyAfterRoundTrip } from "../certainty.ts";
import type { TableReason } from "../dialect.ts";
import { peerQuote, wireSentence } from "../sentence.ts";
import { fromPlaticaBody } from "./decode.ts";
import { isArgumentFault, type PlaticaContext, platicaRetryable, platicaRowFor, platicaSentence } from "./encode.ts";
import { isWorkspaceSentence, WORKSPACE_ROW } from "./table.ts";
import { toZod, zodCodeOf, zodLine } from "./zod.ts";

/**
 * The fault after a round trip. Kinds that share a status and rules that share a Zod code become one.
 * The quote is the message, or the lines about the arguments. A relayed body replaces what the fault says.
 */
export function platicaAfterRoundTrip(fault: Fault, context: PlaticaContext = {}): Fault {
  if (isArgumentFault(fault, context)) {
    const lines = (fault.issues ?? []).map((issue) => zodLine(toZod(issue)));
    return afterRoundTripAs(invalid_arguments, fault, lines.join("; "), undefined);
  }
  const row = platicaRowFor(fault);
  if (row.code < 0) return afterRoundTripAs(row.reason, { ...fault, issues: [] }, wireSentence(fault), row.retry);
  const body = context.raw === undefined ? undefined : relayBody(context.raw, context.secrets)?.object;
  if (body !== undefined) {
    const structured = { ...body, code: row.code, ...platicaRetryable(fault, row.retry) };
    const relayed = fromPlaticaBody(structured, certaintyAfterRoundTrip(fault, row.reason));
    if (relayed !== undefined) return relayed;
  }
  const sentence = platicaSentence(fault, row);
  const reason = row.code === 400 && isWorkspaceSentence(sentence) ? WORKSPACE_ROW.reason : row.reason;
  return afterRoundTripAs(reason, fault, sentence, row.retry);
}

function afterRoundTripAs(reason: TableReason, fault: Fault, sentence: string, ofRow: true | undefined): Fault {
  const allowed = platicaRetryable(fault, ofRow).retryable ?? ofRow;
  return reason.fault(
    {},
    {
      ...certaintyAfterRoundTrip(fault, reason),
      ...peerQuote(sentence),
      ...(allowed !== undefined && { retry: { allowed } }),
      ...(fault.issues !== undefined && { issues: fault.issues.map(issueAfterRoundTrip) }),
    },
  );
}

/** Zod has fewer codes than a fault has rules. Rules without a code become `custom`. */
function issueAfterRoundTrip(issue: Issue): Issue {
  const { pointer, rule, expected } = issue;
  return {
    pointer,
    rule: zodCodeOf(issue) === "custom" ? "custom" : rule,
    ...(expected !== undefined && { expected }),
  };
}
