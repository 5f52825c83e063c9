import { detectInBody } from "../../dialects/detect.ts";
import { decodeHttpWith, type HttpReading } from "../../dialects/http/decode.ts";
import { decodeEmbeddedFault } from "../../dialects/mcp/decode.ts";
import { markDecoded } from "../../dialects/peer-fault.ts";
import { SDK_HTTP_STATUSES, type SdkRow } from "../../dialects/sdk/table.ts";
import { amendFault } from "../../fault/amend.ts";
import type { Fault } from "../../fault/fault.ts";
import { internal, misconfigured, unrecognised } from "../../reasons/library/core.ts";
import { session_not_found } from "../../reasons/library/protocol.ts";
import { http_failed } from "../../reasons/library/transport.ts";
import { sdkHttpFailureOf } from "../../sdk/errors.ts";
import type { ExchangeRecord } from "../transport/types.ts";
import type { ReadContext } from "./context.ts";

/** A failed HTTP answer, as far as it is known. */
export interface HttpFailure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The failed HTTP answer behind an error: as the observer recorded it, or as much as the SDK's error says. */
export function httpFailureOf(error: unknown, record: ExchangeRecord | undefined): HttpFailure | undefined {
  if (record?.status !== undefined && record.status >= 400) {
    return { status: record.status, headers: record.headers ?? {}, body: record.body };
  }
  const { status, body } = sdkHttpFailureOf(error) ?? {};
  return status !== undefined && status >= 400 && status <= 599 ? { status, headers: {}, body } : undefined;
}

/** Statuses whose headers and body say more than the status: refusals and limits. */
const DETAILED_STATUSES = [401, 403, 408, 425, 429, 509, 529];

/** Reasons of codes that servers use for anything, so that the status says more. */
const VAGUE: readonly string[] = [internal.id, unrecognised.id];

const TRANSPORT = { layer: "transport" } as const;

/** Reads a failed HTTP answer of the server itself, or of a proxy in front of it. */
export function readHttpFailure(failure: HttpFailure, context: ReadContext): Fault {
  const stated = decodeEmbeddedFault(failure, context) ?? context.dialect?.decode(failure, context);
  if (stated !== undefined) return stated;
  const found = detectInBody(failure, context)?.fault;
  if (found !== undefined && !VAGUE.includes(found.reason)) return found;
  const overrideFor: HttpReading["overrideFor"] = (status, kind) => {
    const isDetailed = DETAILED_STATUSES.includes(status) || kind === "overloaded";
    return isDetailed ? undefined : { ...rowOf(status, context.session), origin: TRANSPORT };
  };
  const read = decodeHttpWith(failure, context, { overrideFor, believesFaults: true });
  if (read !== undefined) return markDecoded(read.basis === "stated" ? read : amendFault(read, { origin: TRANSPORT }));
  const { reason, effect } = rowOf(failure.status, context.session);
  const details = { origin: TRANSPORT, basis: "mapped", ...(effect !== undefined && { effect }) } as const;
  return reason.fault({ status: failure.status }, details);
}

/** What a status means at the address of an MCP server, where only the protocol is served. */
function rowOf(status: number, session: boolean): SdkRow {
  // A server that has forgotten a session answers with this status; without a session the address is wrong.
  if (status === 404) return session ? { reason: session_not_found } : { reason: misconfigured, effect: "none" };
  return SDK_HTTP_STATUSES[status] ?? { reason: http_failed };
}
