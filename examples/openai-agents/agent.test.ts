import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent, MCPServerStreamableHttp, Runner } from "@openai/agents";
import { connect, openaiTools } from "./agent.ts";
import { measured, type Run, type ToolCall, testWithRecourse } from "./behaviour.ts";
import { ScriptedModel } from "./model.ts";
import { PNG, SECRET } from "./shop.ts";

// Traces go to a service of the vendor unless they are turned off.
const runner = new Runner({ tracingDisabled: true });
const text = (value: string) => ({ type: "input_text", text: value });

async function runWithRecourse({ url, turns, signal, deadlineMs }: Run) {
  const mcp = await connect(url, deadlineMs === undefined ? {} : { deadlineMs });
  try {
    const model = new ScriptedModel(turns);
    const agent = new Agent({ name: "agent", model, tools: await openaiTools(mcp) });
    const { finalOutput } = await runner.run(agent, "Go.", signal === undefined ? {} : { signal });
    return { told: model.told, answer: finalOutput };
  } finally {
    await mcp.client.close();
  }
}

testWithRecourse(runWithRecourse, {
  text: (value) => [text(value)],
  failure: (value) => ({ type: "text", text: value }),
  picture: ({ texts: [first = "", ...rest], png }) => [
    text(first),
    { type: "input_image", image: `data:image/png;base64,${png}` },
    ...rest.map(text),
  ],
});

async function runBare(url: string, call: ToolCall) {
  const own = new MCPServerStreamableHttp({ url });
  await own.connect();
  try {
    const model = new ScriptedModel([[call]]);
    await runner.run(new Agent({ name: "agent", model, mcpServers: [own] }), "Go.");
    return model.told;
  } finally {
    await own.close();
  }
}

const TRY_AGAIN = { type: "text", text: "An error occurred while running the tool. Please try again." };

const BARE: readonly [name: string, guarded: boolean, told: unknown][] = [
  ["find", false, [text("There is no order 9.")]],
  ["find", true, [text("There is no order 9. Call again with a different name or id.")]],
  ["charge", true, TRY_AGAIN],
  ["search", true, TRY_AGAIN],
];

for (const [name, guarded, told] of BARE) {
  test(`mcpServers without the kit: ${name}, ${guarded ? "guarded" : "bare"}`, async () => {
    const { ran, shop } = await measured(guarded, ({ url }) => runBare(url, { name, args: { order: 9, amount: 5 } }));
    assert.deepEqual(ran, [told]);
    assert.equal(shop.calls[name], 1);
  });
}

test("mcpServers without the kit: a secret reaches the model of a bare server, and not of a guarded one", async () => {
  const ship = { name: "ship", args: { order: 7 } };
  const bare = await measured(false, ({ url }) => runBare(url, ship));
  assert.ok(JSON.stringify(bare.ran).includes(SECRET));
  const guarded = await measured(true, ({ url }) => runBare(url, ship));
  assert.ok(!JSON.stringify(guarded.ran).includes(SECRET));
});

test("mcpServers without the kit: an image among other content becomes JSON text", async () => {
  const { ran } = await measured(true, ({ url }) => runBare(url, { name: "picture", args: { order: 7 } }));
  const told = ran[0] as { readonly type: string; readonly text: string };
  assert.equal(told.type, "text");
  assert.deepEqual((JSON.parse(told.text) as unknown[])[1], { type: "image", data: PNG, mimeType: "image/png" });
});
