import type { Client } from "@modelcontextprotocol/client";

/** Calls a tool, and once more when that fails: harmless for a reader, not for a tool that does something. */
export async function stubborn(client: Client, name: string, args: object, call: object = {}) {
  const params = { name, arguments: { ...args }, _meta: { "recourse/call": call } };
  try {
    return await client.callTool(params);
  } catch {
    return client.callTool(params);
  }
}
