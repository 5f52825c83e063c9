import { openPair } from "@recourse/test-kit/fixtures";
import { type AnyServer, SERVER_CLIENT_ERAS } from "@recourse/test-kit/sdk-pairs";
import { expect, test } from "vitest";
import * as z from "zod";
import { defineReasons, readFault, slot } from "../../../src/index.ts";
import { guard } from "../../../src/server/index.ts";

const shop = defineReasons("shop", {
  no_rule: {
    kind: "not_found",
    text: "No rule resolves {gtin}.",
    slots: { gtin: slot.pattern(/^\d{8,14}$/, { bare: true }) },
  },
});
const thrown = shop.no_rule({ gtin: "00614141123452" }, { retry: { allowed: false } });

function build(server: AnyServer): AnyServer {
  guard(server, { sink: () => {}, name: "shop" });
  const fails = () => {
    throw thrown;
  };
  const inputSchema = z.object({});
  server.registerTool("no_output", { inputSchema }, fails);
  server.registerTool("with_output", { inputSchema, outputSchema: z.object({ link: z.string() }) }, fails);
  server.registerResource("r", "res://r", {}, fails);
  server.registerPrompt("p", {}, fails);
  return server;
}

test.each(SERVER_CLIENT_ERAS)(
  "a fault of a guarded server (%s) reaches the client (%s) unchanged",
  async (server, client) => {
    const { client: connected } = await openPair(client, build, server);
    // Version 1 validates results against the schemas of the last `tools/list`.
    await connected.listTools();
    const wireFaults: unknown[] = [];
    for (const name of ["no_output", "with_output"]) {
      const result = (await connected.callTool({ name, arguments: {} })) as { _meta?: Record<string, unknown> };
      wireFaults.push(result._meta?.["recourse/fault"]);
    }
    for (const ask of [() => connected.readResource({ uri: "res://r" }), () => connected.getPrompt({ name: "p" })]) {
      await ask().catch((error: { data?: Record<string, unknown> }) => wireFaults.push(error.data?.["recourse/fault"]));
    }
    expect(wireFaults).toHaveLength(4);
    for (const wire of wireFaults) {
      const { at: _at, ...fault } = readFault(wire) ?? {};
      expect(fault).toEqual({ ...thrown.fault, origin: { layer: "server", name: "shop" } });
    }
  },
);
