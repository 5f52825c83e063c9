export const DEMO_FILE = "demo-server.mjs";

/** A small MCP server over stdio that needs nothing but Node. Its failures are those of servers that nobody took care of. */
export const DEMO_SERVER = `// A small MCP server for a first try of the gateway. It needs nothing but Node.
// Order 7 is found, order 8 fails like a program whose database is gone, other orders do not exist.
import { createInterface } from "node:readline";

const FIND_ORDER = {
  name: "find_order",
  description: "Finds an order by its number.",
  inputSchema: { type: "object", properties: { order: { type: "integer" } }, required: ["order"] },
  annotations: { readOnlyHint: true },
};

const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "demo", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: [FIND_ORDER] }),
  "tools/call": ({ arguments: given }) => {
    if (given?.order === 7) return text("Order 7: two books, shipped.");
    if (given?.order === 8) return { ...text("connect ECONNREFUSED postgres://app:hunter2@10.0.0.5/orders"), isError: true };
    return { ...text(\`There is no order \${given?.order}.\`), isError: true };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) continue;
  const run = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
  const answer = run ? { result: run(params) } : { error: { code: -32601, message: "Method not found" } };
  process.stdout.write(\`\${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\\n\`);
}

function text(said) {
  return { content: [{ type: "text", text: said }] };
}
`;
