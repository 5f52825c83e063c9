import { type AnyReason, auth, core, type Fault, protocol } from "@recourse/faults";
import { mcp, platica } from "@recourse/faults/dialects";
import type { Authenticate } from "@recourse/faults/server";
import type { Fetch } from "@recourse/reference-shared";

/** Checks only the form of the header: the API checks the key. */
export const checkHeader: Authenticate = (request) => ({
  ok: /^Bearer +pl_key_/i.test(request.headers.get("authorization") ?? ""),
});

interface ConstantReason extends AnyReason {
  fault(): Fault;
}

/** The reasons with a code of Platica's document, by the reasons of refusals before a tool runs. */
const REASON_BY_PROTOCOL_REASON: Readonly<Record<string, ConstantReason>> = {
  "auth/unauthorized": auth.header_invalid,
  "protocol/http_method": protocol.http_method,
  "protocol/parse_error": protocol.malformed_call,
  "core/internal": core.internal,
};

/** Rewrites refusals to Platica's codes. HTTP status and headers stay, and so do refusals without a code. */
export function withPlaticaCodes(fetch: Fetch): Fetch {
  return async (request) => {
    const response = await fetch(request);
    if (response.ok) return response;
    const text = await response.text();
    return new Response(rewriteBody(text), { status: response.status, headers: response.headers });
  };
}

function rewriteBody(text: string): string {
  const message = parseMessage(text);
  const reason = REASON_BY_PROTOCOL_REASON[mcp.decode(message)?.reason ?? ""];
  return reason === undefined ? text : JSON.stringify({ ...(message as object), ...platica.encode(reason.fault()) });
}

function parseMessage(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
