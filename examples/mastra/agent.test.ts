import assert from "node:assert/strict";
import { test } from "node:test";
import "./no-telemetry.ts";
import { Agent } from "@mastra/core/agent";
import { MCPClient } from "@mastra/mcp";
import { connect, mastraTools } from "./agent.ts";
import { measured, type Run, type ToolCall, testWithRecourse } from "./behaviour.ts";
import { ScriptedModel } from "./model.ts";
import { SECRET } from "./shop.ts";

const ABOUT = { id: "agent", name: "agent", instructions: "Do as the script says." };
const text = (value: string) => ({ type: "text", text: value });

async function runWithRecourse({ url, turns, signal, deadlineMs }: Run) {
  const mcp = await connect(url, deadlineMs === undefined ? {} : { deadlineMs });
  try {
    const model = new ScriptedModel(turns);
    const agent = new Agent({ ...ABOUT, model: model as never, tools: await mastraTools(mcp) });
    const { text: answer } = await agent.generate("Go.", signal === undefined ? {} : { abortSignal: signal });
    return { told: model.told, answer };
  } finally {
    await mcp.client.close();
  }
}

testWithRecourse(runWithRecourse, {
  text: (value) => ({ type: "content", value: [text(value)] }),
  failure: (value) => ({ type: "error-text", value }),
  picture: ({ texts: [first = "", ...rest], png }) => ({
    type: "content",
    value: [text(first), { type: "media", mediaType: "image/png", data: png }, ...rest.map(text)],
  }),
});

test("wrong arguments are refused by Mastra, in its own words, before the tool runs", async () => {
  const { ran, shop } = await measured(true, ({ url }) =>
    runWithRecourse({ url, turns: [[{ name: "find", args: { order: "nine" } }]] }),
  );
  assert.match(
    JSON.stringify(ran.told),
    /"error-text","value":"Tool input validation failed for find\..*must be integer/,
  );
  assert.equal(shop.calls["find"], undefined);
});

let ids = 0;

async function runBare(url: string, { name, args }: ToolCall) {
  const own = new MCPClient({ id: `client ${ids++}`, servers: { shop: { url: new URL(url) } } });
  try {
    const model = new ScriptedModel([[{ name: `shop_${name}`, args }]]);
    const agent = new Agent({ ...ABOUT, model: model as never, tools: await own.listTools() });
    await agent.generate("Go.");
    return model.told;
  } finally {
    await own.disconnect();
  }
}

const failure = (value: string) => ({ type: "error-text", value });

const BARE: readonly [name: string, guarded: boolean, told: unknown][] = [
  ["find", false, failure("There is no order 9.")],
  ["find", true, failure("There is no order 9. Call again with a different name or id.")],
  ["search", true, failure("Error POSTing to endpoint: ")],
  ["picture", true, { type: "text", value: "Order 7:" }],
];

for (const [name, guarded, told] of BARE) {
  test(`MCPClient without the kit: ${name}, ${guarded ? "guarded" : "bare"}`, async () => {
    const { ran, shop } = await measured(guarded, ({ url }) =>
      runBare(url, { name, args: { order: name === "picture" ? 7 : 9 } }),
    );
    assert.deepEqual(ran, [told]);
    assert.equal(shop.calls[name], 1);
  });
}

test("MCPClient without the kit: a secret reaches the model of a bare server, and not of a guarded one", async () => {
  const ship = { name: "ship", args: { order: 7 } };
  const bare = await measured(false, ({ url }) => runBare(url, ship));
  assert.ok(JSON.stringify(bare.ran).includes(SECRET));
  const guarded = await measured(true, ({ url }) => runBare(url, ship));
  assert.ok(!JSON.stringify(guarded.ran).includes(SECRET));
});

test("MCPClient without the kit: a charge whose answer is lost is made twice, and the model hears of one", async () => {
  const charge = { name: "charge", args: { amount: 5 } };
  const { ran, shop } = await measured(true, ({ url }) => runBare(url, charge));
  assert.deepEqual(shop.charges, [5, 5]);
  assert.match(JSON.stringify(ran), /Charged 5\./);
});
