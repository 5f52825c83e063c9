import { type AnyReason, auth, core, type Fault, protocol } from "@recourse/faults";
import { mcp, platica } from "@recourse/faults/dialects";
import type { Authenticate } from "@recourse/faults/server";
import type { Fetch } from "@recourse/reference-ground";

/** Looks at the form of the header alone: whether the key is honoured is for the API to say. */
export const checkHeader: Authenticate = (request) => ({
  ok: /^Bearer +pl_key_/i.test(request.headers.get("authorization") ?? ""),
});

interface Sentence extends AnyReason {
  fault(): Fault;
}

/** What the system has a code for, of all that is refused before a tool runs. */
const CODES: Readonly<Record<string, Sentence>> = {
  "auth/unauthorized": auth.header_invalid,
  "protocol/http_method": protocol.http_method,
  "protocol/parse_error": protocol.malformed_call,
  "core/internal": core.internal,
};

/** Says refusals at the edge in the system's codes; HTTP status and headers stay, and so does what it has no code for. */
export function inOwnCodes(fetch: Fetch): Fetch {
  return async (request) => {
    const response = await fetch(request);
    if (response.ok) return response;
    const text = await response.text();
    return new Response(rewritten(text), { status: response.status, headers: response.headers });
  };
}

function rewritten(text: string): string {
  const message = parsed(text);
  const reason = CODES[mcp.decode(message)?.reason ?? ""];
  return reason === undefined ? text : JSON.stringify({ ...(message as object), ...platica.encode(reason.fault()) });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
