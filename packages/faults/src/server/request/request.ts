import type { Revision } from "../../dialects/mcp/revision.ts";
import { REVISIONS } from "../../dialects/mcp/revision.ts";
import type { SecretFilter } from "../../safety/secrets.ts";
import type { PeerProtocol } from "../peer.ts";
import { credentialFilter } from "./credentials.ts";

type Loose = Readonly<Record<string, unknown>>;

function member(of: unknown, key: string): unknown {
  return typeof of === "object" && of !== null ? (of as Loose)[key] : undefined;
}

/** The `_meta` of a request: version 2 keeps it under `mcpReq`, version 1 at the top. */
export function metaOf(context: unknown): Loose {
  const meta = member(member(context, "mcpReq"), "_meta") ?? member(context, "_meta");
  return typeof meta === "object" && meta !== null ? (meta as Loose) : {};
}

/** The signal that tells that nobody waits for the answer any more. */
export function signalOf(context: unknown): AbortSignal | undefined {
  const signal = member(member(context, "mcpReq"), "signal") ?? member(context, "signal");
  return signal instanceof AbortSignal ? signal : undefined;
}

/** How long the caller still waits, by its own word. */
export function callerDeadline(context: unknown): number | undefined {
  const left = member(metaOf(context)["recourse/call"], "deadlineMs");
  return typeof left === "number" && left >= 0 ? left : undefined;
}

/** W3C traceparent of the request. */
export function traceOf(context: unknown): string | undefined {
  const trace = metaOf(context)["traceparent"];
  return typeof trace === "string" ? trace : undefined;
}

/** The key that makes the call one and the same however often it is made; whatever the caller put there. */
export function callKeyOf(context: unknown): unknown {
  return member(metaOf(context)["recourse/call"], "key");
}

/** What is known about who calls, as the SDK hands it on. */
export function authOf(context: unknown): unknown {
  return member(member(context, "http"), "authInfo") ?? member(context, "authInfo");
}

/** The credentials that came with this request: they must not go back in an answer. */
export function secretsOf(context: unknown): SecretFilter | undefined {
  const http = member(context, "http");
  const token = member(authOf(context), "token");
  const headers = member(member(context, "requestInfo"), "headers") ?? member(member(http, "req"), "headers");
  const known = [token, header(headers, "authorization"), header(headers, "cookie")];
  return credentialFilter(known.filter((one) => typeof one === "string"));
}

function header(headers: unknown, name: string): unknown {
  return headers instanceof Headers ? headers.get(name) : member(headers, name);
}

/** The revision that was negotiated; a server that does not tell is taken for one of the older kind. */
export function revisionOf(protocol: PeerProtocol): Revision {
  return REVISIONS.find((one) => one === protocol._negotiatedProtocolVersion) ?? "2025-11-25";
}
