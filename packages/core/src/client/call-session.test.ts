import { expect, it } from "vitest";
import type { DecisionRecord } from "../retry/index.ts";
import type { ClientLike } from "../sdk/client.ts";
import { recourse } from "./recourse.ts";

type Params = { readonly _meta: { readonly "recourse/call": Record<string, unknown> } };

/** A client whose calls end as prepared, one after the other, and which keeps what was sent. */
function scripted(steps: readonly (() => unknown)[], keys = true) {
  const sent: Record<string, unknown>[] = [];
  const client: ClientLike & { transport: object | undefined } = {
    transport: {},
    async callTool(params: Params) {
      sent.push(params._meta["recourse/call"]);
      return steps[sent.length - 1]?.() ?? { content: [] };
    },
    readResource: async () => ({}),
    getPrompt: async () => ({}),
    listTools: async () => ({}),
    getServerCapabilities: () => ({ extensions: { "io.github.recourse-mcp/faults": { v: 1, keys } } }),
  };
  return { client, sent };
}

const FAST = { retry: { policy: { baseMs: 0, overloadBaseMs: 0 } } };

it("does not repeat a keyed call at a server that took over and does not honour keys", async () => {
  const first = scripted([
    () => {
      first.client.transport = undefined;
      throw Object.assign(new Error("Connection closed"), { name: "McpError", code: -32000 });
    },
  ]);
  const second = scripted([], false);
  const mcp = recourse(first.client, { ...FAST, reconnect: async () => second.client });
  expect(await mcp.call("charge", {}, { idempotencyKey: "k" })).toMatchObject({
    ok: false,
    fault: { reason: "transport/connection_lost", effect: "possible", tried: { stopped: "unsafe" } },
  });
  expect(mcp.client).toBe(second.client);
  expect([first.sent.length, second.sent.length]).toEqual([1, 0]);
});

it("repeats it at a server that honours them, too", async () => {
  const first = scripted([
    () => {
      first.client.transport = undefined;
      throw Object.assign(new Error("Connection closed"), { name: "McpError", code: -32000 });
    },
  ]);
  const second = scripted([]);
  const mcp = recourse(first.client, { ...FAST, reconnect: async () => second.client });
  expect(await mcp.call("charge", {}, { idempotencyKey: "k" })).toMatchObject({ ok: true, tried: { attempts: 2 } });
  expect(second.sent).toMatchObject([{ attempt: 2, key: "k" }]);
});

it("counts attempts that were sent; a connection that is not there yet sends nothing", async () => {
  const first = scripted([]);
  const second = scripted([]);
  let tries = 0;
  const mcp = recourse(first.client, {
    ...FAST,
    testing: { random: () => 0.999 },
    reconnect: async () => {
      tries += 1;
      if (tries === 1) throw new Error("not yet");
      return second.client;
    },
  });
  first.client.callTool = async () => {
    throw new Error("Not connected");
  };
  expect(await mcp.call("charge")).toMatchObject({ ok: true, tried: { attempts: 2 } });
  expect(second.sent).toMatchObject([{ attempt: 2 }]);
  expect(tries).toBe(2);
});

it("tells what it decides", async () => {
  const entries: DecisionRecord[] = [];
  const failing = scripted([
    () => {
      throw Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNRESET" } });
    },
  ]);
  const onDecision = (entry: DecisionRecord) => entries.push(entry);
  const mcp = recourse(failing.client, { retry: { breaker: { failures: 1 }, onDecision } });
  await mcp.call("x");
  expect(await mcp.call("x")).toMatchObject({ fault: { reason: "transport/breaker_open", effect: "none" } });
  expect(failing.sent).toHaveLength(1);
  expect(entries.map(({ decision }) => decision)).toMatchObject([{ why: "unsafe" }, { do: "stop", why: "breaker" }]);
});

it("waits without end where the caller wants no deadline", async () => {
  const { client, sent } = scripted([]);
  expect(await recourse(client, { deadlineMs: Number.POSITIVE_INFINITY }).call("x")).toMatchObject({ ok: true });
  expect(sent[0]).toEqual({ id: expect.any(String), attempt: 1 });
});
