import { readFault } from "@recourse/faults";
import { expectNoLeak, leaks } from "@recourse/faults/testing";
import { afterAll, expect, test } from "vitest";
import { connected } from "./connected.ts";
import { createServer } from "./guarded.ts";

const { client, close } = await connected(createServer);
afterAll(close);

test("a failure is a fault that a program can read", async () => {
  const result = await client.callTool({ name: "cancel_order", arguments: { order: 2, reason: "stock" } });
  const fault = readFault(result._meta?.["recourse/fault"]);
  expect(fault).toMatchObject({ kind: "precondition_failed", reason: "orders/shipped", effect: "none" });
  expect(fault?.recourse[0]).toEqual({ do: "do_first", tool: "recall_order" });
});

test("nothing that is sent comes back in a refusal", async () => {
  for (const leak of leaks.slice(0, 50)) {
    const result = await client.callTool({ name: "cancel_order", arguments: { order: leak.text, reason: leak.text } });
    expectNoLeak(result, leak.canaries);
  }
});
