import { McpServer } from "@modelcontextprotocol/server";
import { type Bridge, bearer, type OpenapiOptions, openapi } from "@recourse/bridge";
import { defineReasons } from "@recourse/faults";

const workspace = defineReasons("workspace", {
  frozen: {
    kind: "precondition_failed",
    text: "The workspace is frozen, so nothing can be added to it.",
    details: { recourse: [{ do: "ask_user" }] },
  },
});

/** The CRM as tools. */
export async function openCrm(key: string, options: OpenapiOptions = {}): Promise<Bridge> {
  const crm = await openapi(new URL("crm.yaml", import.meta.url), { credential: bearer(key), ...options });
  crm.operation("createClient", { key: "Idempotency-Key", errors: { 422: workspace.frozen } });
  return crm;
}

/** A server for one request; all of them share the bridge. */
export function createServer(crm: Bridge): McpServer {
  return crm.register(new McpServer({ name: "crm", version: "1.0.0" }), { sink: () => {} });
}
