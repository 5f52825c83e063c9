import type { McpServer } from "@modelcontextprotocol/server";

/** Adds a tool whose database refuses, as drivers say it: two addresses, both refused. */
export function failingShop(server: McpServer): McpServer {
  server.registerTool("order", {}, async () => {
    await placeOrder();
    return { content: [] };
  });
  return server;
}

async function placeOrder(): Promise<void> {
  const refused = (address: string) =>
    Object.assign(new Error(`connect ECONNREFUSED ${address}:5432`), { code: "ECONNREFUSED", address, port: 5432 });
  const cause = new AggregateError([refused("::1"), refused("127.0.0.1")]);
  throw new Error("cannot open postgres://shop:hunter22@db.internal/orders", { cause });
}
