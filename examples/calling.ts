import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { render } from "@recourse/faults";
import { type RecourseClient, recourse, watch } from "@recourse/faults/client";

/** Connects, and keeps what the SDK's client alone would drop. */
export async function connect(url: URL): Promise<RecourseClient<Client>> {
  const watched = watch();
  const client = new Client({ name: "agent", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(url, { fetch: watched.fetch }));
  return recourse(client, { watched, deadlineMs: 30_000 });
}

/** What the model reads after the call; nothing is thrown. */
export async function cancelOrder(mcp: RecourseClient<Client>, order: number): Promise<string> {
  const outcome = await mcp.call("cancel_order", { order, reason: "stock" });
  if (outcome.ok === false) return render(outcome.fault, { for: "model" });
  return `Order ${order} is cancelled.`;
}
