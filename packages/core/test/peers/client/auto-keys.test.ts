// A client that gives its calls keys by itself, at a server that does not know whose keys these are.

import { openPair } from "@recourse/test-kit/fixtures";
import { type AnyServer, ERAS, type Era } from "@recourse/test-kit/sdk-pairs";
import { expect, test } from "vitest";
import { recourse } from "../../../src/client/index.ts";
import type { ClientLike } from "../../../src/sdk/client.ts";
import { guard, memoryIdempotency } from "../../../src/server/index.ts";

async function shop(era: Era) {
  let orders = 0;
  const pair = await openPair(era, (server: AnyServer) => {
    server.registerTool("order", {}, () => ({ content: [{ type: "text", text: `order ${++orders}` }] }));
    return guard(server, { sink: () => {}, idempotency: { store: memoryIdempotency() } });
  });
  return { client: pair.client as unknown as ClientLike, orders: () => orders };
}

test.each(ERAS)("%s: the call is made once more, without the key", async (era) => {
  const { client, orders } = await shop(era);
  const mcp = recourse(client, { autoIdempotency: true });
  expect(await mcp.call("order", {})).toMatchObject({ ok: true });
  expect(await mcp.call("order", {})).toMatchObject({ ok: true });
  expect(orders()).toBe(2);
});

test.each(ERAS)("%s: a key that the caller gave is not given up", async (era) => {
  const { client, orders } = await shop(era);
  const outcome = await recourse(client, { autoIdempotency: true }).call("order", {}, { idempotencyKey: "order-7" });
  expect(outcome).toMatchObject({ ok: false, fault: { reason: "idempotency/caller_unknown", effect: "none" } });
  expect(orders()).toBe(0);
});
