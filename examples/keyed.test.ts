import { recourse } from "@recourse/faults/client";
import { expect, test } from "vitest";
import { connected } from "./connected.ts";
import { createServer as createGuarded } from "./guarded.ts";
import { createServer, pay } from "./keyed.ts";

test("the same intention pays once, and other arguments need another key", async () => {
  const { client, close } = await connected(createServer);
  const mcp = recourse(client);
  for (const _time of ["first", "second"])
    expect(await pay(mcp, { id: "7", cents: 4_200 })).toMatchObject({
      ok: true,
      result: { content: [{ text: "Payment 1 is made." }] },
    });
  expect(await pay(mcp, { id: "7", cents: 9_900 })).toMatchObject({
    ok: false,
    key: "sent",
    fault: { reason: "idempotency/key_reused", effect: "none" },
  });
  await close();
});

test("at a server that does not honour keys the outcome says so", async () => {
  const { client, close } = await connected(createGuarded);
  expect(await pay(recourse(client), { id: "7", cents: 4_200 })).toMatchObject({ ok: false, key: "ignored" });
  await close();
});
