// Imports the built packages the way users do, as an ES module and by require, and calls it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { commandBeside } from "./packed.ts";
import { twoAtOnce } from "./two-at-once.ts";

const require = createRequire(import.meta.url);
const asModule: typeof import("@recourse/faults") = await import("@recourse/faults");
const required = require("@recourse/faults") as typeof import("@recourse/faults");
const { toFault }: typeof import("@recourse/faults/server") = await import("@recourse/faults/server");
const { core }: typeof import("@recourse/faults/reasons") = await import("@recourse/faults/reasons");
const schema = require("@recourse/faults/schema.json") as { title: string };

for (const faults of [asModule, required]) {
  const fault = await toFault(core.not_found({ what: "it" }));
  assert.equal(fault.kind, "not_found");
  assert.match(faults.render(fault, { for: "model" }), /^Not found: "it"\./);
}
// The built entry points export the names of their sources, and no others. Files of the core take names from one another
// through its entry points, too; what users import names each value.
for (const name of ["core", "faults", "dialects", "explain", "testing"]) {
  const { exports } = require(`@recourse/${name}/package.json`) as {
    exports: Record<string, string | { "@recourse/source": string }>;
  };
  for (const [door, target] of Object.entries(exports)) {
    if (typeof target === "string") continue;
    const built = (await import(`@recourse/${name}${door.slice(1)}`)) as object;
    const source = namesOf(`packages/${name}/${target["@recourse/source"].slice(2)}`);
    const names = Object.keys(built).filter((one) => name !== "core" || source.includes(one));
    assert.deepEqual(names.sort(), source, `${name}${door}`);
  }
}
const bridge: typeof import("@recourse/bridge") = await import("@recourse/bridge");
const document = { openapi: "3.1.0", info: {}, paths: { "/orders": { get: { operationId: "listOrders" } } } };
const api = await bridge.openapi(document, { server: "https://api.example.com" });
assert.deepEqual(
  api.tools.map((tool) => tool.name),
  ["listOrders"],
);
await api.close();
const postgres: typeof import("@recourse/stores/postgres") = await import("@recourse/stores/postgres");
const redis: typeof import("@recourse/stores/redis") = await import("@recourse/stores/redis");
const CLAIM = { owner: "0a", deadlineMs: undefined, honoured: false };
// The fence of a claim comes back if the key was new.
const claimed = {
  query: async ({ values = [] }: { readonly values?: unknown[] }) => ({ rows: [{ fence: values[4] }], rowCount: 1 }),
};
assert.equal((await postgres.postgresIdempotency({ pool: claimed }).begin("0b", "0c", CLAIM)).state, "new");
const busy = { evalSha: async () => ["running"], eval: async () => ["running"] };
assert.equal((await redis.redisIdempotency({ client: busy }).begin("0b", "0c", CLAIM)).state, "running");
const gateways: typeof import("@recourse/gateway") = await import("@recourse/gateway");
const loaded = gateways.loadConfig(
  `
listen: 127.0.0.1:0
store: memory
authentication: none
upstreams:
  memory: { command: [node, node_modules/@modelcontextprotocol/server-memory/dist/index.js] }
telemetry: { log: silent }
`,
  { environment: process.env },
);
assert.ok(loaded.ok, JSON.stringify(loaded));
const gateway = await gateways.startGateway(loaded.config);
const reply = await fetch(gateway.url, {
  method: "POST",
  headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
  body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory__read_graph","arguments":{}}}',
});
assert.match(await reply.text(), /^\{"result":|^\{"jsonrpc":"2.0","id":1,"result":/);
await gateway.close();
const LINES = [
  ["--version", /^\d+\.\d+\.\d+/],
  ["explain core/timeout", /core\/timeout/],
  ["demo --fast", /guard\(/],
  ["probe --json node node_modules/@modelcontextprotocol/server-memory/dist/index.js", /"score": ?\d+/],
] as const;
await twoAtOnce(
  LINES.map(([line, says]) => async () => {
    const stdout = await commandBeside(process.execPath, ["packages/cli/dist/main.js", ...line.split(" ")], ".");
    assert.match(stdout, says, line);
  }),
);
assert.equal(schema.title, "Recourse fault, version 1");

/** The values that an entry point exports, by its source. */
function namesOf(file: string): string[] {
  const code = readFileSync(file, "utf8");
  const lists = [...code.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list = ""]) => list.split(","));
  const exported = lists.map((one) => one.trim()).filter((one) => one !== "" && !one.startsWith("type "));
  const named = exported.map((one) => one.split(" as ").at(-1) ?? one);
  const namespaces = [...code.matchAll(/^export \* as (\w+) from/gm)].map(([, name = ""]) => name);
  const constants = [...code.matchAll(/^export const (\w+)/gm)].map(([, name = ""]) => name);
  return [...named, ...namespaces, ...constants].sort();
}
console.log(`the built packages work on ${process.version}`);
