import type { Fault, Issue } from "../../fault/fault.ts";
import { invalid_arguments } from "../../reasons/library/tool.ts";
import { keptCertainty } from "../certainty.ts";
import type { TableReason } from "../dialect.ts";
import { proseOf, quoteOf } from "../prose.ts";
import { ofBody } from "./decode.ts";
import { isArguments, type PlaticaContext, retryableOf, rowFor } from "./encode.ts";
import { relay } from "./raw.ts";
import { isWorkspace, WORKSPACE, WORKSPACE_WORDS } from "./table.ts";
import { codeOf, lineOf, toZod } from "./zod.ts";

/**
 * Survives: the reason of the status or code, whether to repeat, place, rule and expectation of the issues, effect and
 * guess. Merges: kinds that share a status, rules that share a code of Zod. Becomes a quotation: the sentence, or the
 * lines about the arguments. Lost: when to repeat, suggestions, params, limits, origin, tried, causes, ids, time.
 * With a body to relay, its own sentences and fields come instead of the fault's.
 */
export function keeps(fault: Fault, context: PlaticaContext = {}): Fault {
  if (isArguments(fault, context)) {
    const lines = (fault.issues ?? []).map((issue) => lineOf(toZod(issue)));
    return kept(fault, invalid_arguments, lines.join("; "), undefined);
  }
  const row = rowFor(fault);
  if (row.code < 0) return kept({ ...fault, issues: [] }, row.reason, proseOf(fault), row.retry);
  const body = context.raw === undefined ? undefined : relay(context.raw, context.secrets)?.body;
  if (body !== undefined) {
    const told = { ...body, code: row.code, ...retryableOf(fault, row.retry) };
    const relayed = ofBody(told, keptCertainty(fault, row.reason));
    if (relayed !== undefined) return relayed;
  }
  const prose = row === WORKSPACE && !isWorkspace(proseOf(fault)) ? WORKSPACE_WORDS : proseOf(fault);
  const reason = row.code === 400 && isWorkspace(prose) ? WORKSPACE.reason : row.reason;
  return kept(fault, reason, prose, row.retry);
}

function kept(fault: Fault, reason: TableReason, prose: string, habit: true | undefined): Fault {
  const allowed = retryableOf(fault, habit).retryable ?? habit;
  return reason.fault(
    {},
    {
      ...keptCertainty(fault, reason),
      ...quoteOf(prose),
      ...(allowed !== undefined && { retry: { allowed } }),
      ...(fault.issues !== undefined && { issues: fault.issues.map(keptIssue) }),
    },
  );
}

/** Zod has fewer words than we have rules: what it cannot say is `custom`. */
function keptIssue(issue: Issue): Issue {
  const { pointer, rule, expected } = issue;
  return { pointer, rule: codeOf(issue) === "custom" ? "custom" : rule, ...(expected !== undefined && { expected }) };
}
