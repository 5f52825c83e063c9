import { detect } from "../../dialects/detect.ts";
import { http } from "../../dialects/http/http.ts";
import { isSdk } from "../../dialects/sdk/classes.ts";
import { type Row, STATUS } from "../../dialects/sdk/table.ts";
import type { Fault } from "../../fault/fault.ts";
import { internal, misconfigured, unrecognised } from "../../reasons/library/core.ts";
import { session_not_found } from "../../reasons/library/protocol.ts";
import { http_failed } from "../../reasons/library/transport.ts";
import { classNameOf, peek, peekInteger, peekString } from "../../reasons/unknown/peek.ts";
import type { Seen } from "../watch/watched.ts";
import type { ReadContext } from "./context.ts";

/** An HTTP answer that is a failure, as far as it is known. */
export interface HttpFailure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const TRANSPORT = { layer: "transport" } as const;

/** The failed HTTP answer behind an error: as it was watched, or as much as the SDK's error tells. */
export function failureOf(error: unknown, seen: Seen | undefined): HttpFailure | undefined {
  if (seen?.status !== undefined && seen.status >= 400) {
    return { status: seen.status, headers: seen.headers ?? {}, body: seen.body };
  }
  if (isSdk(error, "SdkHttpError")) {
    const data = peek(error, "data");
    return failed(peekInteger(data, "status"), peekString(data, "text"));
  }
  const name = classNameOf(error);
  if (name !== "StreamableHTTPError" && name !== "SseError") return undefined;
  // Version 1 writes the body behind its own words.
  const message = peekString(error, "message") ?? "";
  const body = message.indexOf("{");
  return failed(peekInteger(error, "code"), body < 0 ? undefined : message.slice(body));
}

function failed(status: number | undefined, body: string | undefined): HttpFailure | undefined {
  return status !== undefined && status >= 400 && status <= 599 ? { status, headers: {}, body } : undefined;
}

/** Statuses whose headers and body say more than the status: refusals and limits. */
const TELLING = [401, 403, 408, 425, 429, 509, 529];

/** Codes that a server uses for anything, so that the status says more. */
const VAGUE: readonly string[] = [internal.id, unrecognised.id];

/** Reads a failed HTTP answer of the server itself, or of something in front of it. */
export function readHttpFailure(failure: HttpFailure, context: ReadContext): Fault {
  const found = detect(failure, context);
  if (found?.basis === "stated") return found.fault;
  const named = context.dialect?.decode(failure, context);
  if (named !== undefined) return named;
  if (found !== undefined && found.dialect !== "http" && !VAGUE.includes(found.fault.reason)) return found.fault;
  const read = http.decode(failure, context);
  if (read !== undefined && (TELLING.includes(failure.status) || read.kind === "overloaded")) {
    return Object.freeze({ ...read, origin: TRANSPORT });
  }
  const { reason, effect } = rowOf(failure.status, context.session);
  return reason.fault(
    { status: failure.status },
    {
      secrets: context.secrets,
      allow: context.allow,
      origin: TRANSPORT,
      basis: "mapped",
      ...(effect !== undefined && { effect }),
      ...(read?.retry !== undefined && { retry: read.retry }),
      ...(read?.limits !== undefined && { limits: read.limits }),
    },
  );
}

/** What a status means at the address of an MCP server, where nothing but the protocol is served. */
function rowOf(status: number, session: boolean): Row {
  // A server that has forgotten a session says so with this status; otherwise the address itself is wrong.
  if (status === 404) return session ? { reason: session_not_found } : { reason: misconfigured, effect: "none" };
  return STATUS[status] ?? { reason: http_failed };
}
