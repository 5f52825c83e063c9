// A call, over MCP or REST.
import { OPERATIONS } from "../../src/operations/operations.ts";

export interface ToolCall {
  readonly tool: string;
  readonly args?: unknown;
  /** The whole Authorization header. */
  readonly authorization?: string | undefined;
}

export function headersOf({ authorization }: ToolCall): Record<string, string> {
  return authorization === undefined ? {} : { authorization };
}

export const bearer = (key: string) => `Bearer ${key}`;

/** The same call as a request to the REST API. */
export function restRequest(rest: string, toolCall: ToolCall): Request {
  const operation = OPERATIONS.find(({ id }) => id === toolCall.tool);
  if (operation === undefined) throw new Error(`there is no operation ${toolCall.tool}`);
  const { workspace, ...given } = { ...(toolCall.args as Record<string, unknown> | undefined) };
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(given[name] ?? "");
    delete given[name];
    return encodeURIComponent(value);
  });
  const isBody = operation.method === "POST";
  const inQuery = { ...(!isBody && given), ...(workspace !== undefined && { workspace }) };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(inQuery)) query.set(name, String(value));
  return new Request(`${rest}/v1${path}?${query}`, {
    method: operation.method,
    headers: { "content-type": "application/json", ...headersOf(toolCall) },
    ...(isBody && { body: JSON.stringify(given) }),
  });
}
