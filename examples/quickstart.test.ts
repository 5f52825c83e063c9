import { readFault } from "@recourse/faults";
import { afterAll, expect, test } from "vitest";
import { connected } from "./connected.ts";
import { createServer } from "./quickstart.ts";

const { client, close } = await connected(createServer);
afterAll(close);

const resolve = (gtin: string) => client.callTool({ name: "resolve", arguments: { gtin } });

test("a success is untouched", async () => {
  expect(await resolve("09506000134352")).toMatchObject({ content: [{ text: "https://example.com/product" }] });
});

test("a reason reaches the model as a sentence and the program as a fault", async () => {
  const result = await resolve("00614141123452");
  expect(result.isError).toBe(true);
  expect(result.content).toEqual([
    {
      type: "text",
      text: "No rule resolves 00614141123452. Choose another one; the same call will fail again. [not_found gtin/no_rule]",
    },
  ]);
  const fault = readFault(result._meta?.["recourse/fault"]);
  expect(fault).toMatchObject({ kind: "not_found", reason: "gtin/no_rule", effect: "none" });
});

test("what was thrown by accident stays inside", async () => {
  const result = await resolve("09506000134369");
  expect(JSON.stringify(result)).not.toMatch(/hunter2|10\.0\.0\.5|ECONNREFUSED/);
  expect(result.content).toMatchObject([
    { text: expect.stringMatching(/^The call failed because of an internal error\./) },
  ]);
});
