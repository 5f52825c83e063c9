import type { Fault } from "../../fault/fault.ts";
import { certaintyOf } from "../certainty.ts";
import type { EncodeContext } from "../dialect.ts";
import type { Json } from "../wire.ts";
import { IN_SECONDS, type Row } from "./table.ts";
import { detailFor, messageFor, paramsFor, rowFor, wholeSeconds } from "./told.ts";

/** The error object of a JSON-RPC reply. */
export interface ErlmcpWire {
  readonly error: { readonly code: number; readonly message: string; readonly data?: Json | string };
}

/** Writes a fault as a top-level JSON-RPC error. */
export function encode(fault: Fault, context: EncodeContext = {}): ErlmcpWire {
  const row = rowFor(fault, context);
  const detail = detailFor(fault, row, context);
  const members = { ...membersOf(fault, row, context), ...waitOf(fault), ...certaintyOf(fault, row.reason) };
  const data = dataOf(row, detail, members);
  const error = { code: row.code, message: messageFor(fault, row) };
  return { error: data === undefined ? error : { ...error, data } };
}

function membersOf(fault: Fault, row: Row, context: EncodeContext): Json {
  const params = paramsFor(fault, row, context);
  const data: Record<string, unknown> = {};
  for (const [member, name] of Object.entries(row.members ?? {})) {
    const param = params[name];
    if (param === undefined) continue;
    data[member] = typeof param === "number" && IN_SECONDS.includes(member) ? wholeSeconds(param) : param;
  }
  return "actual_size" in data || "max_size" in data ? { ...data, unit: "bytes" } : data;
}

/** The peer's wait, in seconds; the system has no word for "do not repeat". */
function waitOf({ retry }: Fault): Json {
  return retry?.allowed === true && retry.afterMs !== undefined ? { retry_after: wholeSeconds(retry.afterMs) } : {};
}

/** Prose is all of `data` where the system has it so and nothing else is to be said. */
function dataOf(row: Row, detail: string | undefined, members: Json): Json | string | undefined {
  const bare = Object.keys(members).length === 0;
  if (detail === undefined) return bare ? undefined : members;
  return bare && row.prose === "data" ? detail : { ...members, details: detail };
}
