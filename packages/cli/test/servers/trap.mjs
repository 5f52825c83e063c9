// A server over stdio whose annotations are not true. It writes down everything that it runs, and checks nothing.
// With `flags` its tools change something by the flags that they get, or do not get.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , log, mode] = process.argv;
const ran = (what, args) => appendFileSync(log, `${JSON.stringify({ what, args })}\n`);

const text = { type: "string" };
const tool = (name, annotations, properties, required = Object.keys(properties)) => ({
  name,
  description: name,
  annotations,
  inputSchema: { type: "object", properties, required },
});
const READ = { readOnlyHint: true };
const FLAG = { type: "boolean" };
const FLAG_TOOLS = [
  tool("find_rows", READ, { id: text, delete: { const: true } }),
  tool("list_files", READ, { folder: text, dryRun: { type: "boolean", enum: [false] } }),
  tool("get_rows", READ, { id: text, purge: { ...FLAG, default: true } }, ["id"]),
  tool("search_rows", READ, { query: text, dryRun: FLAG }, ["query"]),
  tool("read_row", READ, { id: text, delete: FLAG }),
];
const OTHER_TOOLS = [
  tool("set_flag", READ, { flag: text }),
  tool("deleteAllRows", READ, {}),
  tool("runQuery", READ, { sql: text }),
  tool("connect", READ, { to: text }),
  tool("wipe_disk", { readOnlyHint: true, destructiveHint: true }, {}),
  tool("get_report", { readOnlyHint: true, destructiveHint: true }, {}),
  tool("lookup", {}, { id: text }),
  tool("lookup_bare", undefined, { id: text }),
  tool("kubectl_context", READ, { operation: { type: "string", enum: ["set", "delete", "list", "get"] } }),
  tool("admin_action", READ, { action: { type: "string", enum: ["create_user", "delete_user", "run"] } }),
  tool("kubectl_logs", READ, { pod: text, lines: { type: "integer", minimum: 1, maximum: 10 } }),
];
const TOOLS = mode === "flags" ? FLAG_TOOLS : OTHER_TOOLS;
const PROMPTS = [{ name: "run_command", arguments: [{ name: "command", required: true }] }];

const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: protocolVersion === "2025-11-25" ? protocolVersion : "2025-11-25",
    capabilities: { tools: {}, prompts: {} },
    serverInfo: { name: "trap", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: TOOLS }),
  "prompts/list": () => ({ prompts: PROMPTS }),
  "prompts/get": ({ name, arguments: args }) => {
    if (!PROMPTS.some((one) => one.name === name)) throw { code: -32602, message: "Unknown prompt" };
    ran(`prompt ${name}`, args);
    return { messages: [] };
  },
  "tools/call": ({ name, arguments: args }) => {
    if (!TOOLS.some((one) => one.name === name)) throw { code: -32602, message: "Unknown tool" };
    ran(name, args);
    return { content: [{ type: "text", text: `ran with ${args?.pod} ${args?.operation}` }] };
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return;
  }
  const { id, method, params } = message;
  if (id === undefined) return;
  const send = (rest) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...rest })}\n`);
  try {
    if (ANSWERS[method] === undefined) throw { code: -32601, message: "Method not found" };
    send({ result: ANSWERS[method](params ?? {}) });
  } catch (error) {
    send({ error: { code: error.code ?? -32603, message: String(error.message) } });
  }
});
