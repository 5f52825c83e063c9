import type { Fault } from "../../fault/fault.ts";
import type { JsonObject } from "../../json/read.ts";
import { carriedMembers } from "../carried-members.ts";
import type { EncodeContext } from "../dialect.ts";
import { erlmcpRowFor } from "./choose-row.ts";
import { erlmcpDetailFor, erlmcpMessageFor, erlmcpParamsFor, wholeSeconds } from "./fields.ts";
import { type ErlmcpRow, MEMBERS_IN_SECONDS } from "./table.ts";

/** A JSON-RPC reply with an error object. */
export interface ErlmcpWire {
  readonly error: { readonly code: number; readonly message: string; readonly data?: JsonObject | string };
}

/** Writes a fault as a top-level JSON-RPC error. */
export function encodeErlmcp(fault: Fault, context: EncodeContext = {}): ErlmcpWire {
  const row = erlmcpRowFor(fault, context);
  const detail = erlmcpDetailFor(fault, row, context);
  const members = {
    ...erlmcpMembers(fault, row, context),
    ...retryAfterMember(fault),
    ...carriedMembers(fault, row.reason),
  };
  const data = erlmcpData(row, detail, members);
  const error = { code: row.code, message: erlmcpMessageFor(fault, row, context) };
  return { error: data === undefined ? error : { ...error, data } };
}

function erlmcpMembers(fault: Fault, row: ErlmcpRow, context: EncodeContext): JsonObject {
  const params = erlmcpParamsFor(fault, row, context);
  const data: Record<string, unknown> = {};
  for (const [member, name] of Object.entries(row.members ?? {})) {
    const param = params[name];
    if (param === undefined) continue;
    data[member] = typeof param === "number" && MEMBERS_IN_SECONDS.includes(member) ? wholeSeconds(param) : param;
  }
  return "actual_size" in data || "max_size" in data ? { ...data, unit: "bytes" } : data;
}

/** The wait in seconds. erlmcp cannot express that a call must not be repeated. */
function retryAfterMember({ retry }: Fault): JsonObject {
  return retry?.allowed === true && retry.afterMs !== undefined ? { retry_after: wholeSeconds(retry.afterMs) } : {};
}

/** The text is all of `data` where the row allows it and there are no other members. */
function erlmcpData(row: ErlmcpRow, detail: string | undefined, members: JsonObject): JsonObject | string | undefined {
  const isEmpty = Object.keys(members).length === 0;
  if (detail === undefined) return isEmpty ? undefined : members;
  return isEmpty && row.textIn === "data" ? detail : { ...members, details: detail };
}
