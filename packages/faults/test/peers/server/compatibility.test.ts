import { afterEach, expect, test } from "vitest";
import * as z from "zod";
import { defineReasons, readFault, slot } from "../../../src/index.ts";
import { guard } from "../../../src/server/index.ts";
import { type AnyServer, type Era, type Pair, pairOf } from "../peers.ts";

const shop = defineReasons("shop", {
  no_rule: { kind: "not_found", text: "No rule resolves {gtin}.", slots: { gtin: slot.gtin } },
});
const thrown = shop.no_rule({ gtin: "00614141123452" }, { retry: { allowed: false } });

function build(server: AnyServer): AnyServer {
  guard(server, { sink: () => {}, name: "shop" });
  const fails = () => {
    throw thrown;
  };
  const inputSchema = z.object({});
  server.registerTool("plain", { inputSchema }, fails);
  server.registerTool("shaped", { inputSchema, outputSchema: z.object({ link: z.string() }) }, fails);
  server.registerResource("r", "res://r", {}, fails);
  server.registerPrompt("p", {}, fails);
  return server;
}

let pair: Pair | undefined;
afterEach(() => pair?.close());

const CELLS: readonly [server: Era, client: Era][] = [
  ["v2 modern", "v2 modern"],
  ["v2 modern", "v2 legacy"],
  ["v2 modern", "v1"],
  ["v1", "v1"],
  ["v1", "v2 legacy"],
];

test.each(CELLS)("a fault of a guarded server (%s) survives in the client (%s)", async (server, client) => {
  pair = await pairOf(client, build, server);
  const { client: peer } = pair;
  // Version 1 checks results against the schemas that it saw in the list.
  await peer.listTools();
  const found: unknown[] = [];
  for (const name of ["plain", "shaped"]) {
    const result = (await peer.callTool({ name, arguments: {} })) as { _meta?: Record<string, unknown> };
    found.push(result._meta?.["recourse/fault"]);
  }
  for (const ask of [() => peer.readResource({ uri: "res://r" }), () => peer.getPrompt({ name: "p" })]) {
    await ask().catch((error: { data?: Record<string, unknown> }) => found.push(error.data?.["recourse/fault"]));
  }
  expect(found).toHaveLength(4);
  for (const wire of found) {
    const { at: _at, ...fault } = readFault(wire) ?? {};
    expect(fault).toEqual({ ...thrown.fault, origin: { layer: "server", name: "shop" } });
  }
});
