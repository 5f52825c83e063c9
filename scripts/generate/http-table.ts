import { CONDITIONS, type ConditionName } from "../../packages/faults/src/dialects/http/conditions.ts";
import { HINTS } from "../../packages/faults/src/dialects/http/hint.ts";
import { REROUTES, RULES, type Rule, type Statuses } from "../../packages/faults/src/dialects/http/rules.ts";
import { code, codeLink, GENERATED, page, table } from "./markdown.ts";

/** Every reply of an HTTP service, what it means, and what comes next; from the table that the decoder reads. */
export function httpTable(): string {
  return page([
    GENERATED,
    "# The HTTP table",
    "What any reply of an HTTP service means to the caller of a tool. The first row that fits counts; a success that fits none " +
      "is a success. *And* is what must hold besides the status; *own credential* means that it belongs to the server and not " +
      "to its caller.",
    table(
      ["Status", "And", "Reason", "Kind", "Effect", "First move", "First move where repeating does no harm"],
      RULES.map(ruleCells),
    ),
    "*Where repeating does no harm*: the request only reads, its method is idempotent, or it was sent with an idempotency key. " +
      "A bridge knows more: an operation that only reads has changed nothing, whatever its reply.",
    "## Replies that mean another status",
    "Looked at before the table. A google.rpc name in the body, and a code in the body of a success that failed, stand for a " +
      "status of their own as well.",
    table(
      ["Status", "And", "Read as"],
      REROUTES.map(({ status, when, as, guess }) => [
        statuses(status),
        conditions(when),
        guess === true ? `${as}, a guess` : String(as),
      ]),
    ),
    "## Where a wait is read",
    "From the first of these that is there; a wait of more than 24 hours is none.",
    HINTS.map(({ says }, at) => `${at + 1}. ${says}`).join("\n"),
  ]);
}

function ruleCells(rule: Rule): string[] {
  const { id, kind } = rule.reason;
  const details = { ...rule.details, ...(rule.effect !== undefined && { effect: rule.effect }) };
  const usual = rule.reason.fault({}, details);
  const harmless = rule.reason.fault({}, { ...details, repeatable: true });
  return [
    statuses(rule.status),
    conditions(rule.when),
    codeLink(id, `errors/${id}.md`),
    codeLink(kind, `errors/by-kind.md#${kind}`),
    usual.effect,
    code(usual.recourse[0].do),
    harmless.recourse[0].do === usual.recourse[0].do ? "" : code(harmless.recourse[0].do),
  ];
}

const RANGES: Readonly<Record<string, string>> = { 200: "2xx", 300: "other 3xx", 400: "other 4xx" };

function statuses(of: Statuses): string {
  const [first] = of;
  return typeof first === "object" ? (RANGES[first[0]] ?? "all others") : of.join(", ");
}

function conditions(names: readonly ConditionName[] = []): string {
  return names.map((name) => CONDITIONS[name].says).join("; ");
}
