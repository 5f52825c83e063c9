import type { CallOptions } from "../api/options.ts";
import { isJson, memberAt, objectAt, stringAt } from "../document/json.ts";

/** Where authenticators put the name of whom a token stands for. */
const SUBJECTS = ["sub", "subject", "userId"] as const;

/** What a handler is told about its request: version 2 of the SDK keeps it under `mcpReq` and `http`, version 1 at the top. */
export function optionsFrom(context: unknown): CallOptions {
  const request = isJson(context) ? context["mcpReq"] : undefined;
  const http = isJson(context) ? context["http"] : undefined;
  const signal = read(request, "signal") ?? read(context, "signal");
  const meta = read(request, "_meta") ?? read(context, "_meta");
  const headers = read(read(http, "req"), "headers") ?? read(read(context, "requestInfo"), "headers");
  return {
    signal: signal instanceof AbortSignal ? signal : undefined,
    meta: isJson(meta) ? meta : undefined,
    headers: headers instanceof Headers || isJson(headers) ? (headers as CallOptions["headers"]) : undefined,
    caller: callerFrom(read(http, "authInfo") ?? read(context, "authInfo")),
  };
}

/** Members of requests are often inherited, so a plain look at own ones would miss them. */
function read(from: unknown, key: string): unknown {
  return typeof from === "object" && from !== null ? (from as Readonly<Record<string, unknown>>)[key] : undefined;
}

/** Who calls: the subject at its client, else the token, which then alone tells people apart. */
function callerFrom(auth: unknown): string | undefined {
  if (!isJson(auth)) return undefined;
  const extra = objectAt(auth, "extra");
  const subject = SUBJECTS.flatMap((name) => [stringAt(auth, name), stringAt(extra, name)]).find(Boolean);
  const client = stringAt(auth, "clientId");
  return JSON.stringify(subject === undefined ? [client, memberAt(auth, "token")] : [client, subject]);
}
