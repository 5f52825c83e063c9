// What an erlmcp error says of an argument and in words, for the writer and the reader alike.
import { toPointer } from "@recourse/wire";
import { ISSUE_RULES, type Issue } from "../../fault/fault.ts";
import { ERLMCP_ROWS, type ErlmcpRow } from "./table.ts";

/** Reads the issue that the members of a row describe. */
export function issueFromMembers(row: ErlmcpRow, at: (name: string) => unknown): Issue | undefined {
  if (row.issue === undefined) return undefined;
  const field = at(row.issue.at);
  if (typeof field !== "string" || field === "") return undefined;
  const pointer = field.startsWith("/") ? field : toPointer([field]);
  if (row.issue.constraint === undefined) return { pointer, rule: "required" };
  const constraint = at(row.issue.constraint);
  const rule = ISSUE_RULES.find((one) => one === constraint);
  if (rule !== undefined || typeof constraint !== "string") return { pointer, rule: rule ?? "custom" };
  return { pointer, rule: "custom", expected: constraint };
}

/** The quote that message and text make together. A fixed message is left out: the code says the same. */
export function erlmcpQuote(
  message: string | undefined,
  detail: string | undefined,
  reason: string,
): string | undefined {
  const isFixed = ERLMCP_ROWS.some(
    (row) => row.reason.id === reason && row.message.toLowerCase() === message?.toLowerCase(),
  );
  if (isFixed || message === undefined || message === "") return detail;
  return detail === undefined || detail === "" ? message : `${message} (${detail})`;
}
