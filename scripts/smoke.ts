// Imports the built packages the way users do, as an ES module and by require, and calls it.
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const asModule: typeof import("@recourse/faults") = await import("@recourse/faults");
const required = require("@recourse/faults") as typeof import("@recourse/faults");
const schema = require("@recourse/faults/schema.json") as { title: string };

for (const faults of [asModule, required]) {
  const fault = faults.toFault(faults.core.not_found({ what: "it" }));
  assert.equal(fault.kind, "not_found");
  assert.match(faults.render(fault, { for: "model" }), /^What was asked for does not exist: "it"\./);
}
const bridge: typeof import("@recourse/bridge") = await import("@recourse/bridge");
const document = { openapi: "3.1.0", info: {}, paths: { "/orders": { get: { operationId: "listOrders" } } } };
const api = await bridge.openapi(document, { server: "https://api.example.com" });
assert.deepEqual(
  api.tools.map((tool) => tool.name),
  ["listOrders"],
);
await api.close();
assert.equal(schema.title, "Recourse fault, version 1");
console.log(`the built packages work on ${process.version}`);
