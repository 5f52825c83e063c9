import { McpServer } from "@modelcontextprotocol/server";
import { fail } from "@recourse/core";
import { mcp, onx } from "@recourse/core/dialects";
import { type GuardOptions, guard, type Incident } from "@recourse/core/server";
import { connectInMemory } from "@recourse/test-kit/fixtures";
import { expect, it } from "vitest";
import { AdapterError } from "../src/adapters/adapter-error.ts";
import { defineAdapter } from "../src/adapters/define-adapter.ts";

// The identifier of a backend reaches the caller, with an adapter and without one.

interface Answer {
  readonly content: readonly { readonly text: string }[];
  readonly error?: unknown;
}

interface Thrower {
  readonly thrown: unknown;
  readonly readOnlyHint: boolean;
}

const DOORS: Readonly<Record<string, (server: McpServer, thrower: Thrower) => McpServer>> = {
  "a guarded tool": (server, { thrown, readOnlyHint }) => {
    server.registerTool("order", { annotations: { readOnlyHint } }, () => Promise.reject(thrown));
    return server;
  },
  "a tool of an adapter": (server, { thrown, readOnlyHint }) => {
    const shop = defineAdapter({
      name: "shop",
      faults: { SOLD_OUT: { kind: "precondition_failed", text: "It is sold out." } },
      lifecycle: { initialise: () => ({}) },
      tools: {
        order: { description: "Finds one.", annotations: { readOnlyHint }, handler: () => Promise.reject(thrown) },
      },
    });
    return shop.create({}).register(server);
  },
};

async function answerOf(door: string, thrower: Thrower, options: GuardOptions) {
  const incidents: Incident[] = [];
  const sink = (incident: Incident) => void incidents.push(incident);
  const server = guard(new McpServer({ name: "s", version: "1" }), { ...options, sink });
  DOORS[door]?.(server, thrower);
  const client = await connectInMemory(server);
  const result = (await client.callTool({ name: "order" })) as unknown as Answer;
  return { result, incidents };
}

const doors = Object.keys(DOORS);

it.each(doors)("in onX's form, as the document shows it: %s", async (door) => {
  for (const readOnlyHint of [false, true]) {
    const thrown = new AdapterError("ORDER_NOT_FOUND", { cause: new Error("host db-7.internal") });
    const { result, incidents } = await answerOf(door, { thrown, readOnlyHint }, { dialect: onx });
    const details = { originalError: "ORDER_NOT_FOUND" };
    expect(result.error).toMatchObject({ code: 4001, retryable: false, details });
    expect(JSON.stringify(result)).not.toContain("db-7");
    expect(incidents).toMatchObject([{ code: 4001, fault: { reason: "adapter/failed" } }]);
  }
});

it("behind another error, where no adapter says that everything else is an accident", async () => {
  const door = "a guarded tool";
  const thrower = { thrown: new Error("x", { cause: new AdapterError("ORDER_NOT_FOUND") }), readOnlyHint: false };
  const { result } = await answerOf(door, thrower, { dialect: onx });
  expect(result.error).toMatchObject({ code: 4001, details: { originalError: "ORDER_NOT_FOUND" } });
});

it.each(doors)("keeps the effect that the error states, also in a tool that only reads: %s", async (door) => {
  for (const [effect, read] of [
    ["possible", "possible"],
    ["none", "none"],
    [undefined, "none"],
  ] as const) {
    const thrown = new AdapterError("ORDER_NOT_FOUND", effect && { effect });
    const { result } = await answerOf(door, { thrown, readOnlyHint: true }, {});
    expect(mcp.decode(result)?.effect).toBe(read);
  }
});

it.each(doors)("a fault without a stated effect has none in a tool that only reads: %s", async (door) => {
  const thrown = fail.unavailable`The shop is closed.`;
  const { result } = await answerOf(door, { thrown, readOnlyHint: true }, { dialect: onx });
  expect(result.error).toMatchObject({ code: 4002, retryable: true });
});
