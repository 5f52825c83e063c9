import { generateText, isStepCount, jsonSchema, type ToolSet } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { expect, it, test } from "vitest";
import { connectToPeer } from "../../test/peers/client/connect.ts";
import { renderAiOutput } from "./agent-tools.ts";
import { aiTools } from "./index.ts";

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model that calls one tool and then ends, and keeps what it was sent. */
function modelCalling(toolName: string, input: object) {
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const told = prompt.some(({ role }) => role === "tool");
      return {
        content: told
          ? [{ type: "text", text: "Done." }]
          : [{ type: "tool-call", toolCallId: "c1", toolName, input: JSON.stringify(input) }],
        finishReason: { unified: told ? "stop" : "tool-calls", raw: undefined },
        usage: USAGE,
        warnings: [],
      };
    },
  });
}

/** What the model read about its tool call. */
function toldTo(model: MockLanguageModelV4): unknown {
  const message = model.doGenerateCalls.at(-1)?.prompt.find(({ role }) => role === "tool");
  return (message?.content[0] as { output?: unknown } | undefined)?.output;
}

async function run(tools: ToolSet, toolName: string, input: object) {
  const model = modelCalling(toolName, input);
  const { text } = await generateText({ model, tools, prompt: "Go.", stopWhen: isStepCount(3) });
  return { text, model };
}

test("a result reaches the model as text", async () => {
  await using pair = await connectToPeer("v2 modern");
  const tools: ToolSet = await aiTools(pair.mcp, { jsonSchema });
  const { text, model } = await run(tools, "echo", { text: "hello" });
  expect(text).toBe("Done.");
  expect(toldTo(model)).toEqual({ type: "text", value: "hello" });
  const [first] = model.doGenerateCalls;
  const echo = first?.tools?.find(({ name }) => name === "echo");
  expect(echo).toMatchObject({ description: "Says what it is told.", inputSchema: { properties: { text: {} } } });
});

test("a failure reaches the model as an error with the next move, and the run goes on", async () => {
  await using pair = await connectToPeer("v2 modern", { steps: ["lost-socket"] });
  const tools = await aiTools(pair.mcp, { jsonSchema });
  const { text, model } = await run(tools, "charge", { amount: 1 });
  expect(text).toBe("Done.");
  expect(toldTo(model)).toMatchObject({ type: "error-text" });
  expect((toldTo(model) as { value: string }).value).toContain(
    "The call may have taken effect. Check the current state",
  );
  expect((toldTo(model) as { value: string }).value).toContain("The connection was lost");
});

test("what a call says besides its arguments comes from the caller", async () => {
  await using pair = await connectToPeer("v2 modern", { steps: ["lost-socket"], idempotency: true });
  const tools = await aiTools(pair.mcp, { jsonSchema, callOptions: (tool) => ({ idempotencyKey: `key of ${tool}` }) });
  const { model } = await run(tools, "charge", { amount: 1 });
  expect(toldTo(model)).toEqual({ type: "text", value: "Charged 1." });
  expect(pair.peer.effects().keys).toEqual({ "key of charge": 1 });
});

test("an abort of the run ends the call", async () => {
  await using pair = await connectToPeer("v2 modern", { steps: ["lost-silence"] });
  const tools = await aiTools(pair.mcp, { jsonSchema, tools: [{ name: "charge" }] });
  expect(Object.keys(tools)).toEqual(["charge"]);
  const output = await tools["charge"]?.execute({ amount: 1 }, { abortSignal: AbortSignal.timeout(50) });
  expect(output).toMatchObject({ fault: { reason: "core/cancelled" } });
});

test("a tool can be called without options, and what it did not return is no text", async () => {
  await using pair = await connectToPeer("v2 modern");
  const { echo } = await aiTools(pair.mcp, { jsonSchema });
  const output = await echo?.execute({ text: "hello" });
  expect(echo?.toModelOutput({ output })).toEqual({ type: "text", value: "hello" });
  expect(echo?.toModelOutput({ output: undefined })).toEqual({ type: "text", value: "" });
});

const text = (value: string) => ({ type: "text", text: value });
const png = { type: "image", mimeType: "image/png", data: "AAAA" };
const pngPart = { type: "file", mediaType: "image/png", data: { type: "data", data: "AAAA" } };

it.each<[string, unknown, unknown]>([
  ["text blocks, one a line", { content: [text("a"), text("b")] }, { type: "text", value: "a\nb" }],
  [
    "the text of a resource",
    { content: [{ type: "resource", resource: { uri: "r:1", text: "inside" } }] },
    { type: "text", value: "inside" },
  ],
  ["an image as a file", { content: [text("see"), png] }, { type: "content", value: [text("see"), pngPart] }],
  [
    "the bytes of a resource as a file",
    { content: [{ type: "resource", resource: { uri: "r:1", mimeType: "application/pdf", blob: "BBBB" } }] },
    {
      type: "content",
      value: [{ type: "file", mediaType: "application/pdf", data: { type: "data", data: "BBBB" } }],
    },
  ],
  [
    "a link by its address",
    { content: [{ type: "resource_link", uri: "r:1" }] },
    { type: "text", value: "[resource_link r:1]" },
  ],
  [
    "structured content as JSON",
    { content: [text('{"n":1}')], structuredContent: { n: 1 } },
    { type: "json", value: { n: 1 } },
  ],
  ["structured content alone", { structuredContent: { n: 1 } }, { type: "json", value: { n: 1 } }],
  [
    "structured content beside a text of its own",
    { content: [text("one")], structuredContent: { n: 1 } },
    { type: "text", value: 'one\n{"n":1}' },
  ],
  [
    "an image beside structured content",
    { content: [png], structuredContent: { n: 1 } },
    { type: "content", value: [pngPart, text('{"n":1}')] },
  ],
  ["nothing", { content: [] }, { type: "text", value: "" }],
  ["no result at all", undefined, { type: "text", value: "" }],
])("%s", (_, result, output) => {
  expect(renderAiOutput(result)).toEqual(output);
});
