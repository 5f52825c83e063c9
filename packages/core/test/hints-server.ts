// A guarded server whose failures are partly hidden. It prints what a caller is told.
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { fail } from "@recourse/core";
import { guard } from "@recourse/core/server";

const server = new McpServer({ name: "hints", version: "1.0.0" });
server.registerTool("divide", {}, () => {
  throw new RangeError("division by zero");
});
server.registerTool("store", {}, () => {
  throw fail.unavailable`Nothing was stored: ${"open /etc/shop/orders.db failed: permission denied"}`;
});
server.registerTool("read", {}, () => ({
  isError: true,
  content: [{ type: "text", text: "open /etc/shop/orders.db failed: permission denied" }],
}));
server.registerTool("connect", {}, () => {
  throw new TypeError("connect ECONNREFUSED postgres://app:hunter2@10.0.0.5/orders");
});
guard(server);

const client = new Client({ name: "caller", version: "1.0.0" });
const [near, far] = InMemoryTransport.createLinkedPair();
await Promise.all([server.connect(far), client.connect(near)]);
for (const name of ["divide", "divide", "store", "store", "read", "read", "connect"]) {
  console.log(JSON.stringify(await client.callTool({ name, arguments: {} })));
}
await client.close();
