import { isObject, type JsonObject, memberAt } from "@recourse/faults/internal-do-not-use";
import type { Revision } from "../recording/revisions.ts";

/** How the probe names itself, so that operators see who it was. */
export const CLIENT_INFO = { name: "recourse-probe", version: "0.1.0" } as const;

const META = "io.modelcontextprotocol/";

/** The parameters with what every request of an era carries: since 2026-07-28 version and client are in each of them. */
export function withEnvelope(revision: Revision, params: unknown, version: string = revision): unknown {
  if (revision === "2025-11-25" || !isObject(params)) return params;
  const own = memberAt(params, "_meta");
  return {
    ...params,
    _meta: {
      [`${META}protocolVersion`]: version,
      [`${META}clientInfo`]: CLIENT_INFO,
      [`${META}clientCapabilities`]: {},
      ...(isObject(own) ? own : {}),
    },
  };
}

/** The member of the parameters that `Mcp-Name` repeats. */
const NAMED_BY: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/** What the older era keeps between requests. */
export interface Session {
  readonly id?: string | undefined;
  readonly version?: string | undefined;
}

/** The headers that a message needs in an era. */
export function headersFor(
  revision: Revision,
  message: JsonObject | undefined,
  session: Session,
): Record<string, string> {
  const method = memberAt(message, "method");
  if (revision === "2025-11-25") {
    return {
      ...(session.id === undefined ? {} : { "mcp-session-id": session.id }),
      ...(session.version === undefined ? {} : { "mcp-protocol-version": session.version }),
    };
  }
  const params = memberAt(message, "params");
  const version = memberAt(memberAt(params, "_meta"), `${META}protocolVersion`);
  const headers: Record<string, string> = {
    "mcp-protocol-version": typeof version === "string" ? version : revision,
  };
  if (typeof method !== "string") return headers;
  headers["mcp-method"] = method;
  const name = Object.hasOwn(NAMED_BY, method) ? memberAt(params, NAMED_BY[method] ?? "") : undefined;
  if (typeof name === "string") headers["mcp-name"] = headerValue(name);
  return headers;
}

/** Text that a header cannot carry as it is travels in Base64. */
function headerValue(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}
