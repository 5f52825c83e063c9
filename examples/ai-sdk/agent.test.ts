import assert from "node:assert/strict";
import { test } from "node:test";
import { createMCPClient } from "@ai-sdk/mcp";
import { generateText, isStepCount, type ToolSet } from "ai";
import { runAgent } from "./agent.ts";
import { measured, type Run, type ToolCall, testWithRecourse } from "./behaviour.ts";
import { ScriptedModel } from "./model.ts";
import { PNG, SECRET } from "./shop.ts";

const text = (value: string) => ({ type: "text", text: value });
const PICTURE = { type: "file", mediaType: "image/png", data: { type: "data", data: PNG } };

async function runWithRecourse({ turns, ...more }: Run) {
  const model = new ScriptedModel(turns);
  const answer = await runAgent({ model, prompt: "Go.", ...more });
  // What is undefined is not sent to a model.
  return { told: JSON.parse(JSON.stringify(model.told)) as unknown[], answer };
}

testWithRecourse(runWithRecourse, {
  text: (value) => ({ type: "text", value }),
  failure: (value) => ({ type: "error-text", value }),
  picture: ({ texts: [first = "", ...rest] }) => ({
    type: "content",
    value: [text(first), PICTURE, ...rest.map(text)],
  }),
});

async function runBare(url: string, call: ToolCall) {
  const own = await createMCPClient({ transport: { type: "http", url } });
  try {
    const model = new ScriptedModel([[call]]);
    await generateText({ model, tools: (await own.tools()) as ToolSet, prompt: "Go.", stopWhen: isStepCount(3) });
    return model.told;
  } finally {
    await own.close();
  }
}

const content = (...value: unknown[]) => ({ type: "content", value });
const failure = (value: string) => ({ type: "error-text", value });

const BARE: readonly [name: string, guarded: boolean, told: unknown][] = [
  ["find", false, content(text("There is no order 9."))],
  ["find", true, content(text("There is no order 9. Call again with a different name or id."))],
  ["charge", true, failure("MCPClientError: Failed to process server response")],
  ["search", true, failure("MCPClientError: MCP HTTP Transport Error: POSTing to endpoint (HTTP 429): ")],
];

const ARGS: Record<string, Record<string, unknown>> = { find: { order: 9 }, charge: { amount: 5 }, search: {} };

for (const [name, guarded, told] of BARE) {
  test(`@ai-sdk/mcp without the kit: ${name}, ${guarded ? "guarded" : "bare"}`, async () => {
    const { ran, shop } = await measured(guarded, ({ url }) => runBare(url, { name, args: ARGS[name] ?? {} }));
    assert.deepEqual(ran, [told]);
    assert.equal(shop.calls[name], 1);
  });
}

test("@ai-sdk/mcp without the kit: structured content beside an image is lost", async () => {
  const { ran } = await measured(true, ({ url }) => runBare(url, { name: "picture", args: { order: 7 } }));
  assert.ok(JSON.stringify(ran).includes(PNG));
  assert.ok(!JSON.stringify(ran).includes("open"));
});

test("@ai-sdk/mcp without the kit: a secret reaches the model of a bare server, and not of a guarded one", async () => {
  const ship = { name: "ship", args: { order: 7 } };
  const bare = await measured(false, ({ url }) => runBare(url, ship));
  assert.ok(JSON.stringify(bare.ran).includes(SECRET));
  const guarded = await measured(true, ({ url }) => runBare(url, ship));
  assert.ok(!JSON.stringify(guarded.ran).includes(SECRET));
});
