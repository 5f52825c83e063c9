import type { RequestHead } from "../../src/call/head.ts";

/** The head of a request to the MCP endpoint, with these headers. */
export function headWith(
  headers: Readonly<Record<string, string | undefined>> = {},
  address = "127.0.0.1",
): RequestHead {
  const names = Object.keys(headers).filter((name) => headers[name] !== undefined);
  return { method: "POST", path: "/mcp", names, header: (name) => headers[name], address };
}
