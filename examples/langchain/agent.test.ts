import assert from "node:assert/strict";
import { test } from "node:test";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { createAgent, toolRetryMiddleware } from "langchain";
import { connect, langchainTools } from "./agent.ts";
import { measured, type Run, type ToolCall, testWithRecourse } from "./behaviour.ts";
import { ScriptedModel } from "./model.ts";
import { PNG, SECRET } from "./shop.ts";

const TASK = { messages: [{ role: "user" as const, content: "Go." }] };
const RETRIES = toolRetryMiddleware({ maxRetries: 2, initialDelayMs: 1, onFailure: "continue" });
const text = (value: string) => ({ type: "text", text: value });

async function runWithRecourse({ url, turns, signal, deadlineMs }: Run, middleware: (typeof RETRIES)[] = []) {
  const mcp = await connect(url, deadlineMs === undefined ? {} : { deadlineMs });
  try {
    const model = new ScriptedModel(turns);
    const agent = createAgent({ model, tools: await langchainTools(mcp), middleware });
    const { messages } = await agent.invoke(TASK, signal === undefined ? {} : { signal });
    return { told: model.told.map(({ status, content }) => ({ status, content })), answer: messages.at(-1)?.content };
  } finally {
    await mcp.client.close();
  }
}

testWithRecourse((run) => runWithRecourse(run), {
  text: (value) => ({ status: "success", content: [text(value)] }),
  failure: (value) => ({ status: "error", content: [text(value)] }),
  picture: ({ texts: [first = "", ...rest], png }) => ({
    status: "success",
    content: [text(first), { type: "image", mimeType: "image/png", data: png }, ...rest.map(text)],
  }),
});

test("a retry middleware finds nothing to retry", async () => {
  const { ran, shop } = await measured(true, ({ url }) =>
    runWithRecourse({ url, turns: [[{ name: "charge", args: { amount: 5 } }]] }, [RETRIES]),
  );
  assert.equal(ran.told[0]?.status, "error");
  assert.deepEqual(shop.charges, [5]);
});

test("wrong arguments are refused by LangChain, in its own words, before the tool runs", async () => {
  const { ran, shop } = await measured(true, ({ url }) =>
    runWithRecourse({ url, turns: [[{ name: "find", args: { order: "nine" } }]] }),
  );
  assert.match(JSON.stringify(ran.told), /Received tool input did not match expected schema/);
  assert.equal(shop.calls["find"], undefined);
});

async function runBare(url: string, call: ToolCall, middleware: (typeof RETRIES)[] = []) {
  const own = new MultiServerMCPClient({ mcpServers: { shop: { transport: "http", url } } });
  try {
    const model = new ScriptedModel([[call]]);
    await createAgent({ model, tools: await own.getTools(), middleware }).invoke(TASK);
    return model.told.map(({ content }) => content);
  } finally {
    await own.close();
  }
}

const BARE: readonly [name: string, guarded: boolean, told: string][] = [
  [
    "find",
    false,
    "ToolException: MCP tool 'find' on server 'shop' returned an error: There is no order 9.\n Please fix your mistakes.",
  ],
  [
    "find",
    true,
    "ToolException: MCP tool 'find' on server 'shop' returned an error: There is no order 9. Call again with a different name or id.\n Please fix your mistakes.",
  ],
  ["charge", true, "ToolException: Error calling tool charge: TypeError: fetch failed\n Please fix your mistakes."],
  [
    "search",
    true,
    "ToolException: Error calling tool search: Error: Streamable HTTP error: Error POSTing to endpoint: \n Please fix your mistakes.",
  ],
];

for (const [name, guarded, told] of BARE) {
  test(`mcp-adapters without the kit: ${name}, ${guarded ? "guarded" : "bare"}`, async () => {
    const { ran, shop } = await measured(guarded, ({ url }) => runBare(url, { name, args: { order: 9, amount: 5 } }));
    assert.deepEqual(ran, [told]);
    assert.equal(shop.calls[name], 1);
  });
}

test("mcp-adapters without the kit: a secret reaches the model of a bare server, and not of a guarded one", async () => {
  const ship = { name: "ship", args: { order: 7 } };
  const bare = await measured(false, ({ url }) => runBare(url, ship));
  assert.ok(JSON.stringify(bare.ran).includes(SECRET));
  const guarded = await measured(true, ({ url }) => runBare(url, ship));
  assert.ok(!JSON.stringify(guarded.ran).includes(SECRET));
});

test("mcp-adapters without the kit: structured content is not in what the model reads", async () => {
  const { ran } = await measured(true, ({ url }) => runBare(url, { name: "picture", args: { order: 7 } }));
  assert.ok(JSON.stringify(ran).includes(PNG));
  assert.ok(!JSON.stringify(ran).includes("open"));
});

test("mcp-adapters without the kit: a retry middleware charges twice", async () => {
  const charge = { name: "charge", args: { amount: 5 } };
  const { shop } = await measured(true, ({ url }) => runBare(url, charge, [RETRIES]));
  assert.deepEqual(shop.charges, [5, 5]);
});
