import type { FaultDetails } from "../../fault/build.ts";
import { type Fault, ISSUE_RULES, type Issue } from "../../fault/fault.ts";
import { unrecognised } from "../../reasons/library/core.ts";
import { type JsonObject, memberAt, numberAt, stringAt, toPointer } from "../../wire/json.ts";
import { JSON_RPC_CODES } from "../../wire/revisions.ts";
import { readCarriedMembers } from "../carried-members.ts";
import type { DecodeContext, TableReason } from "../dialect.ts";
import { type ReplyParts, splitReply } from "../envelope.ts";
import { type OwnCode, readOwnParams, withoutRepetition } from "../own-codes.ts";
import { stripCodePrefix } from "../rpc.ts";
import { peerQuote } from "../sentence.ts";
import {
  ERLMCP_DEFAULTS,
  ERLMCP_ROWS,
  ERROR_CATEGORIES,
  type ErlmcpRow,
  erlmcpRowOfCode,
  erlmcpRowOfReason,
  errorCategory,
  MEMBERS_IN_SECONDS,
} from "./table.ts";

// What an erlmcp error says of an argument and in words, for the writer and the reader alike.

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
function erlmcpQuote(message: string | undefined, detail: string | undefined, reason: string): string | undefined {
  const isFixed = ERLMCP_ROWS.some(
    (row) => row.reason.id === reason && row.message.toLowerCase() === message?.toLowerCase(),
  );
  if (isFixed || message === undefined || message === "") return detail;
  return detail === undefined || detail === "" ? message : `${message} (${detail})`;
}

/** Recognises a code of erlmcp together with its fixed message. Other systems use the codes of JSON-RPC too. */
export function isErlmcpReply({ error }: ReplyParts): boolean {
  if (error === undefined || JSON_RPC_CODES.includes(error.code)) return false;
  const row = erlmcpRowOfCode(error.code);
  const { text } = stripCodePrefix(error.message ?? "");
  return row !== undefined && text !== "" && erlmcpQuote(text, undefined, row.reason.id) === undefined;
}

/** Reads a JSON-RPC error. A code outside erlmcp's ranges decodes to `core/unrecognised`. */
export function decodeErlmcp(
  wire: unknown,
  context: DecodeContext = {},
  own: readonly OwnCode[] = [],
): Fault | undefined {
  const { error } = splitReply(wire);
  if (error === undefined) return undefined;
  const { code, message, data } = error;
  const category = errorCategory(code);
  const general = category === undefined ? unrecognised : ERROR_CATEGORIES[category].reason;
  const yours = own.find((one) => one.code === code);
  const row = yours === undefined ? (erlmcpRowOfCode(code) ?? erlmcpRowOfReason(general.id)) : undefined;
  const reason = yours?.reason ?? row?.reason ?? general;
  const detail = typeof data === "string" ? data : stringAt(data, "details");
  const options = {
    ...context,
    ...readCarriedMembers(data),
    ...peerQuote(erlmcpQuote(message, detail, reason.id)),
    ...erlmcpDetails(reason, row, data),
  };
  if (yours !== undefined) return withoutRepetition(reason.fault(readOwnParams(data), options));
  return reason.fault(row === undefined ? {} : paramsFromMembers(row, data), options);
}

/** The members as params. The slots of the reason refuse values that do not fit. */
function paramsFromMembers(row: ErlmcpRow, data: unknown): JsonObject {
  const params: Record<string, unknown> = {};
  for (const [member, name] of Object.entries(row.members ?? {})) {
    const value = memberAt(data, member);
    if (value === undefined || !hasKnownUnit(member, data)) continue;
    params[name] = typeof value === "number" && MEMBERS_IN_SECONDS.includes(member) ? value * 1_000 : value;
  }
  return params;
}

/** A size counts only in bytes. In another unit it would be read wrongly. */
function hasKnownUnit(member: string, data: unknown): boolean {
  return !member.endsWith("_size") || (stringAt(data, "unit") ?? "bytes") === "bytes";
}

function erlmcpDetails({ kind }: TableReason, row: ErlmcpRow | undefined, data: unknown): FaultDetails {
  const seconds = numberAt(data, "retry_after");
  const issue = row === undefined ? undefined : issueFromMembers(row, (name) => memberAt(data, name));
  return {
    ...(seconds !== undefined && seconds >= 0 && { retry: { allowed: true, afterMs: seconds * 1_000 } }),
    ...(kind === "rate_limited" && { afterMs: ERLMCP_DEFAULTS.retryAfterMs, ...erlmcpLimits(data) }),
    ...(issue !== undefined && { issues: [issue] }),
  };
}

function erlmcpLimits(data: unknown): FaultDetails {
  const quota = numberAt(data, "limit");
  const window = numberAt(data, "window");
  if (quota === undefined && window === undefined) return {};
  const limit = { ...(quota !== undefined && { quota }), ...(window !== undefined && { windowMs: window * 1_000 }) };
  return { limits: [limit] };
}
