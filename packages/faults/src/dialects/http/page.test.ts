// The page about this dialect repeats the tables; this test keeps them alike.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { KINDS } from "../../fault/kinds.ts";
import { CONDITIONS, type ConditionName } from "./conditions.ts";
import { HINTS } from "./hint.ts";
import { REROUTES, RULES, type Rule, type Statuses } from "./rules.ts";
import { BY_KIND } from "./table.ts";

const page = readFileSync(new URL("../../../../../docs/dialects/http.md", import.meta.url), "utf8");

const RANGES: Readonly<Record<string, string>> = { "200": "2xx", "300": "other 3xx", "400": "other 4xx" };

function statuses(of: Statuses): string {
  const first = of[0];
  if (typeof first === "object") return RANGES[first[0]] ?? "all others";
  return of.join(", ");
}

function conditions(names: readonly ConditionName[] = []): string {
  return names.map((name) => CONDITIONS[name].says).join("; ");
}

/** When the same request may be made again. */
function repeat(rule: Rule, effect: string): string {
  const { retry } = { ...rule.reason.fault(), ...rule.details };
  const habit = KINDS[rule.reason.kind].repeat;
  if (retry?.allowed === false || rule.wait === "never") return "no";
  if (rule.details?.recourse !== undefined) return "after reading again";
  if (rule.wait === "told") return "yes, with the same key";
  if (habit !== "waited" && habit !== "harmless") return habit === "authenticated" ? "after new credentials" : "no";
  if (retry?.maxAttempts === 1) return "yes, once";
  return effect === "none" ? "yes" : "if repeatable";
}

function ruleLine(rule: Rule): string {
  const effect = rule.effect ?? rule.reason.fault().effect;
  const { id, kind } = rule.reason;
  const cells = [statuses(rule.status), conditions(rule.when), `\`${id}\``, kind, effect, repeat(rule, effect)];
  return `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |");
}

it("has every row of the table, in its order", () => {
  expect(page).toContain(RULES.map(ruleLine).join("\n"));
});

it("has every reply that means another status", () => {
  const lines = REROUTES.map(({ status, when, as, guess }) => {
    return `| ${statuses(status)} | ${conditions(when)} | ${as}${guess === true ? ", a guess" : ""} |`;
  });
  expect(page).toContain(lines.join("\n"));
});

it("has every place of a wait, in its order", () => {
  expect(page.replaceAll(/\s+/g, " ")).toContain(HINTS.map(({ says }, at) => `(${at + 1}) ${says}`).join(", "));
});

it("has the status of every kind", () => {
  const groups = Map.groupBy(Object.entries(BY_KIND), ([, { status }]) => status);
  for (const [status, kinds] of groups) expect(page).toContain(`${status} ${kinds.map(([kind]) => kind).join(", ")}`);
});

it("is short", () => {
  expect(page.trimEnd().split("\n").length).toBeLessThanOrEqual(120);
});
