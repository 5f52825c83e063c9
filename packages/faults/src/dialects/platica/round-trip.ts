import type { Fault, Issue, IssueRule } from "../../fault/fault.ts";
import { invalid_arguments } from "../../reasons/library/tool.ts";
import { carriedAfterRoundTrip } from "../carried-members.ts";
import type { TableReason } from "../dialect.ts";
import { afterPeerRead } from "../peer-fault.ts";
import { peerQuote } from "../sentence.ts";
import { ruleCode } from "../zod.ts";
import { platicaRowFor } from "./choose-row.ts";
import { bodyToRelay, isArgumentFault, type PlaticaContext, platicaRetryable, platicaSentence } from "./encode.ts";
import { isWorkspaceSentence, WORKSPACE_ROW } from "./table.ts";
import { toZod, zodCodeOf, zodText } from "./zod.ts";

/**
 * The fault after a round trip. Kinds that share a status and rules that share a Zod code become one.
 * The quote is the message, or the lines about the arguments. Beside a relayed body, the fault itself is sent.
 */
export function platicaAfterRoundTrip(fault: Fault, context: PlaticaContext = {}): Fault {
  if (bodyToRelay(context) !== undefined) return afterPeerRead(fault);
  if (isArgumentFault(fault, context)) {
    const lines = (fault.issues ?? []).map((issue) => zodText(toZod(issue)));
    return afterRoundTripAs(invalid_arguments, fault, lines.join("\n").replaceAll("\n", "; "), undefined);
  }
  const row = platicaRowFor(fault, context);
  const sentence = platicaSentence(fault, row);
  if (row.code < 0) return afterRoundTripAs(row.reason, { ...fault, issues: [] }, sentence, row.retry);
  const reason = row.code === 400 && isWorkspaceSentence(sentence) ? WORKSPACE_ROW.reason : row.reason;
  return afterRoundTripAs(reason, fault, sentence, row.retry);
}

function afterRoundTripAs(reason: TableReason, fault: Fault, sentence: string, ofRow: true | undefined): Fault {
  const allowed = platicaRetryable(fault, ofRow).retryable ?? ofRow;
  return reason.fault(
    {},
    {
      ...carriedAfterRoundTrip(fault),
      ...peerQuote(sentence),
      ...(allowed !== undefined && { retry: { allowed } }),
      ...(fault.issues !== undefined && { issues: fault.issues.map(issueAfterRoundTrip) }),
    },
  );
}

/** Rules whose message or note is read even if the code is that of alternatives. */
const KEPT_IN_UNIONS: readonly IssueRule[] = ["required", "choice"];

function ruleAfterRoundTrip(rule: IssueRule, code: string): IssueRule {
  if (code === "custom") return "custom";
  return code === "invalid_union" && !KEPT_IN_UNIONS.includes(rule) ? "type" : rule;
}

/** Zod has fewer codes than a fault has rules. Rules without a code become `custom`. */
function issueAfterRoundTrip(issue: Issue): Issue {
  const { pointer, expected, keys } = issue;
  const written = zodCodeOf(issue);
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
