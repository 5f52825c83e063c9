import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, inputRequired, McpServer, Server } from "@modelcontextprotocol/server";
import { closeAfterTest, connectInMemory } from "@recourse/test-kit/fixtures";
import fc from "fast-check";
import { expect, it, test } from "vitest";
import { connectToPeer, toolCalls } from "../../test/peers/client/connect.ts";
import { FaultError } from "../index.ts";
import { core } from "../reasons/index.ts";
import { guard } from "../server/index.ts";
import { joinToolParts, readToolResult } from "./agent-tools.ts";
import { type AgentTool, agentTools, type ClientLike, type RecourseClient, recourse } from "./index.ts";

async function toolNamed(name: string, mcp: RecourseClient): Promise<AgentTool> {
  const found = (await agentTools(mcp)).find((tool) => tool.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found;
}

test("a tool has what every framework asks for", async () => {
  await using pair = await connectToPeer("v2 modern");
  const echo = await toolNamed("echo", pair.mcp);
  expect(echo).toMatchObject({
    name: "echo",
    description: "Says what it is told.",
    inputSchema: { type: "object", properties: { text: {} } },
    listed: { name: "echo" },
  });
  const reply = await echo.execute({ text: "hello" });
  expect(reply).toMatchObject({
    isError: false,
    text: "hello",
    parts: [{ type: "text", text: "hello" }],
    result: { content: [{ type: "text", text: "hello" }] },
  });
  expect(reply).not.toHaveProperty("fault");
});

test("a failed call is a reply with the fault and its sentence", async () => {
  await using pair = await connectToPeer("v2 modern", { steps: ["lost-socket"] });
  const reply = await (await toolNamed("charge", pair.mcp)).execute({ amount: 1 });
  expect(reply).toMatchObject({
    isError: true,
    fault: { effect: "possible" },
    parts: [{ type: "text", text: reply.text }],
  });
  expect(reply.text).toContain("The call may have taken effect. Check the current state");
  expect(toolCalls(pair.peer)).toHaveLength(1);
});

test("attempts are those of the engine, and calls at the same time do not disturb each other", async () => {
  await using pair = await connectToPeer("v2 modern", { steps: ["429-bare"] });
  const charge = await toolNamed("charge", pair.mcp);
  const replies = await Promise.all([1, 2, 3].map((amount) => charge.execute({ amount })));
  expect(replies.map(({ text }) => text)).toEqual(["Charged 1.", "Charged 2.", "Charged 3."]);
  expect(toolCalls(pair.peer)).toHaveLength(4);
});

test("the options of a call are passed on", async () => {
  await using pair = await connectToPeer("v2 modern", { steps: ["lost-socket"], idempotency: true });
  const charge = await toolNamed("charge", pair.mcp);
  expect(await charge.execute({ amount: 1 }, { idempotencyKey: "call_1" })).toMatchObject({ text: "Charged 1." });
  expect(pair.peer.effects().keys).toEqual({ call_1: 1 });
  await using other = await connectToPeer("v2 modern", { steps: ["lost-silence"] });
  const [only] = await agentTools(other.mcp, { tools: [{ name: "charge" }], callOptions: () => ({ deadlineMs: 50 }) });
  expect(only).toMatchObject({ description: "", inputSchema: { type: "object" } });
  expect(await only?.execute({ amount: 1 })).toMatchObject({ isError: true, fault: { kind: "timeout" } });
  expect(await only?.execute({ amount: 1 }, { signal: AbortSignal.abort() })).toMatchObject({
    fault: { reason: "core/cancelled" },
  });
});

test.each([undefined, null, "text", 7, []])("arguments that are no object (%j) end as a reply", async (input) => {
  await using pair = await connectToPeer("v2 modern");
  expect(await (await toolNamed("charge", pair.mcp)).execute(input)).toMatchObject({ isError: true });
});

test("tools that cannot be listed are an error at the start", async () => {
  await using pair = await connectToPeer("v2 modern", { retry: { policy: { attempts: 1 } } });
  await pair.peer.close();
  const error = await agentTools(pair.mcp).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FaultError);
});

async function asking(options: { readonly inputRequired?: "return" }) {
  const handler = createMcpHandler(() => {
    const server = guard(new McpServer({ name: "asking", version: "1.0.0" }), { sink: () => undefined });
    const name = inputRequired.elicit({
      message: "Your name?",
      requestedSchema: { type: "object", properties: { name: { type: "string" } } },
    });
    server.registerTool("greet", {}, (() => inputRequired({ inputRequests: { name }, requestState: "s1" })) as never);
    return server;
  });
  const client = closeAfterTest(
    new Client(
      { name: "agent", version: "1.0.0" },
      {
        ...(options.inputRequired === "return" && { capabilities: { elicitation: { form: {} } } }),
        versionNegotiation: { mode: { pin: "2026-07-28" } },
      },
    ),
  );
  const fetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), { fetch }));
  const [greet] = await agentTools(recourse<ClientLike>(client, options as { readonly inputRequired: "return" }));
  return greet?.execute({});
}

test("a question of the server is handed to a host that wants it, and the model learns that the user is asked", async () => {
  expect(await asking({ inputRequired: "return" })).toMatchObject({
    isError: true,
    text: "The server needs an answer of the user before it goes on. Ask the user to approve this call.",
    fault: { kind: "approval_required", effect: "none" },
    inputRequired: { requestState: "s1", inputRequests: { name: { method: "elicitation/create" } } },
  });
});

test("a question to a host that cannot ask is a failure with a sentence", async () => {
  const reply = await asking({});
  expect(reply).toMatchObject({ isError: true, fault: { reason: "protocol/missing_client_capability" } });
  expect(reply?.text).toBe(
    'The client did not declare the capability that this request needs: "elicitation/form". Do not repeat this call.',
  );
});

test("an option that throws is a failed call that was not sent", async () => {
  await using pair = await connectToPeer("v2 modern");
  const thrown = new Error("internal detail");
  const failing = (error: unknown) => () => {
    throw error;
  };
  const [charge] = await agentTools(pair.mcp, { tools: [{ name: "charge" }], callOptions: failing(thrown) });
  const reply = await charge?.execute({ amount: 1 });
  expect(reply).toMatchObject({ isError: true, fault: { kind: "internal", effect: "none" }, cause: thrown });
  expect(reply?.text).not.toContain("detail");
  const own = core.not_found({ what: "tenant" });
  const [other] = await agentTools(pair.mcp, { tools: [{ name: "charge" }], callOptions: failing(own) });
  expect(await other?.execute({ amount: 1 })).toMatchObject({ isError: true, fault: { kind: "not_found" } });
  expect(toolCalls(pair.peer)).toHaveLength(0);
});

test("execute never rejects, whatever the arguments, the result and the options are", async () => {
  let result: unknown;
  const server = new Server({ name: "any", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/call", () => result as never);
  const client = await connectInMemory(server);
  const block = fc.record(
    {
      type: fc.constantFrom("text", "image", "resource", "resource_link", "other"),
      text: fc.jsonValue(),
      data: fc.jsonValue(),
      mimeType: fc.oneof(fc.string(), fc.constant({ toString: 5 })),
      resource: fc.oneof(fc.jsonValue(), fc.record({ uri: fc.string(), blob: fc.string(), mimeType: fc.jsonValue() })),
    },
    { requiredKeys: ["type"] },
  );
  const answer = fc.record(
    { content: fc.oneof(fc.array(block), fc.jsonValue()), structuredContent: fc.jsonValue(), isError: fc.jsonValue() },
    { requiredKeys: [] },
  );
  const anything = fc.anything({ withBigInt: true, withNullPrototype: true, withDate: true });
  await fc.assert(
    fc.asyncProperty(anything, fc.oneof(answer, fc.jsonValue()), fc.boolean(), async (args, given, throws) => {
      result = given;
      const callOptions = () => {
        if (throws) throw args;
        return { deadlineMs: 5_000 };
      };
      const mcp = recourse<ClientLike>(client);
      const [tool] = await agentTools(mcp, { tools: [{ name: "__proto__" }], callOptions });
      const reply = await tool?.execute(args);
      expect(typeof reply?.text).toBe("string");
      expect(reply?.isError).toBe(reply?.fault !== undefined);
    }),
    { numRuns: 200 },
  );
});

const text = (value: string) => ({ type: "text", text: value });
const png = { type: "image", mimeType: "image/png", data: "AAAA" };
const pngPart = { type: "file", mediaType: "image/png", data: "AAAA" };

it.each<[string, unknown, readonly unknown[]]>([
  ["text and images in their order", { content: [text("a"), png, text("b")] }, [text("a"), pngPart, text("b")]],
  [
    "a sound as a file",
    { content: [{ type: "audio", mimeType: "audio/wav", data: "BB" }] },
    [{ type: "file", mediaType: "audio/wav", data: "BB" }],
  ],
  [
    "a file without a type",
    { content: [{ type: "resource", resource: { blob: "CC" } }] },
    [{ type: "file", mediaType: "application/octet-stream", data: "CC" }],
  ],
  [
    "a file whose type is no text",
    { content: [{ type: "resource", mimeType: { toString: 5 }, resource: { blob: "CC", mimeType: "text/x" } }] },
    [{ type: "file", mediaType: "text/x", data: "CC" }],
  ],
  ["structured content without any text", { content: [png], structuredContent: { n: 1 } }, [pngPart, text('{"n":1}')]],
  [
    "structured content that a text repeats in another order",
    {
      content: [text('{\n  "b": 2,\n  "a": 1\n}'), png],
      structuredContent: { a: 1, b: 2 },
    },
    [text('{\n  "b": 2,\n  "a": 1\n}'), pngPart],
  ],
  [
    "structured content beside a text of its own",
    { content: [text("Found one.")], structuredContent: { n: 1 } },
    [text("Found one."), text('{"n":1}')],
  ],
  ["a block that is none", { content: [null, {}] }, [text("[]"), text("[]")]],
  ["content that is none", { content: "text" }, []],
])("reads %s", (_, result, parts) => {
  expect(readToolResult(result).parts).toEqual(parts);
});

it("structured content that is nested too deeply for JSON is left out", () => {
  const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
  expect(readToolResult({ content: [text("a")], structuredContent: { deep } }).parts).toEqual([text("a")]);
});

it("a text names the files", () => {
  expect(joinToolParts(readToolResult({ content: [text("See:"), png] }).parts)).toBe("See:\n[file image/png]");
});
