import type { TracedOperation } from "../incidents/telemetry.ts";
import type { OtelAttributes } from "./otel-api.ts";

/** `SpanKind` of OpenTelemetry. */
const INTERNAL = 0;
const SERVER = 1;
const CLIENT = 2;

/** The kind of the span of each operation. */
export const SPAN_KINDS = {
  call: { client: INTERNAL, server: INTERNAL },
  request: { client: CLIENT, server: SERVER },
  http: { client: CLIENT, server: SERVER },
} as const satisfies Record<TracedOperation["what"], Record<TracedOperation["side"], number>>;

/** Longer names are cut, since callers choose some of them. */
const MAX_NAME_LENGTH = 128;

/** The attribute that holds the name which a method is called with. URIs have none: each would be a name of its own. */
const NAME_ATTRIBUTES: Readonly<Record<string, string>> = {
  "tools/call": "gen_ai.tool.name",
  "prompts/get": "gen_ai.prompt.name",
};

/** The name of a span, by the conventions of OpenTelemetry. */
export function nameOf(operation: TracedOperation): string {
  const { what, method } = operation;
  const name = what === "http" || NAME_ATTRIBUTES[method] !== undefined ? cut(operation.name) : undefined;
  const verb = what === "call" && method === "tools/call" ? "execute_tool" : method;
  return name === undefined ? verb : `${verb} ${name}`;
}

/** The attributes that an operation has from its beginning. A metric has none that differ from call to call. */
export function attributesOf(operation: TracedOperation, options: { readonly for?: "metric" } = {}): OtelAttributes {
  const { what, method, name, attempt, address } = operation;
  const attributes =
    what === "http"
      ? { "http.request.method": method, "url.template": name, ...addressOf(address) }
      : {
          "mcp.method.name": method,
          "gen_ai.operation.name": method === "tools/call" ? "execute_tool" : undefined,
          [NAME_ATTRIBUTES[method] ?? ""]: NAME_ATTRIBUTES[method] === undefined ? undefined : cut(name),
          "recourse.attempt": options.for === "metric" ? undefined : attempt,
        };
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, string | number] => entry[1] !== undefined),
  );
}

function addressOf(address: URL | undefined): OtelAttributes {
  if (address === undefined) return {};
  const standard = address.protocol === "https:" ? 443 : 80;
  return { "server.address": address.hostname, "server.port": Number(address.port || standard) };
}

function cut(name: string | undefined): string | undefined {
  return name?.slice(0, MAX_NAME_LENGTH).toWellFormed();
}
