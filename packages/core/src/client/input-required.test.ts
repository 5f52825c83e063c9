import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, inputRequired, inputResponse, McpServer } from "@modelcontextprotocol/server";
import { closeAfterTest } from "@recourse/test-kit/fixtures";
import { expect, test } from "vitest";
import * as z from "zod";
import { recourse } from "./index.ts";

const INFO = { name: "asking", version: "1.0.0" };
const ASK = inputRequired.elicit({
  message: "Your name?",
  requestedSchema: { type: "object", properties: { name: { type: "string" } } },
});

/** A client that can ask its user, and a tool that wants the user's name. */
async function asking(config: { readonly outputSchema?: z.ZodType } = {}): Promise<Client> {
  const handler = createMcpHandler(() => {
    const server = new McpServer(INFO);
    server.registerTool(
      "greet",
      { inputSchema: z.object({}), ...config } as never,
      ((_: unknown, context: { readonly mcpReq: { readonly inputResponses?: never } }) => {
        const answer = inputResponse(context.mcpReq.inputResponses, "name") as { content?: { name?: string } };
        const name = answer.content?.name;
        if (name === undefined) return inputRequired({ inputRequests: { name: ASK }, requestState: "s1" });
        return { content: [{ type: "text", text: `Hello ${name}` }], structuredContent: { name } };
      }) as never,
    );
    return server;
  });
  const client = closeAfterTest(
    new Client(INFO, {
      capabilities: { elicitation: { form: {} } },
      versionNegotiation: { mode: { pin: "2026-07-28" } },
    }),
  );
  const fetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), { fetch }));
  return client;
}

test("the questions are handed to a caller who wants them, and its answers go with the next call", async () => {
  const mcp = recourse(await asking(), { inputRequired: "return" });
  const asked = await mcp.call("greet");
  expect(asked).toMatchObject({
    ok: false,
    inputRequired: {
      resultType: "input_required",
      requestState: "s1",
      inputRequests: { name: { method: "elicitation/create" } },
    },
  });
  const input = { inputResponses: { name: { action: "accept", content: { name: "Ada" } } }, requestState: "s1" };
  expect(await mcp.call("greet", {}, { input })).toMatchObject({
    ok: true,
    result: { content: [{ text: "Hello Ada" }] },
  });
});

test("the questions come back for a tool with an output schema, too", async () => {
  const mcp = recourse(await asking({ outputSchema: z.object({ name: z.string() }) }), { inputRequired: "return" });
  expect(await mcp.tools()).toMatchObject({ ok: true });
  expect(await mcp.call("greet")).toMatchObject({ ok: false, inputRequired: { requestState: "s1" } });
});

test("otherwise the SDK has its user answer, within the deadline of the call", async () => {
  const asked = await asking();
  let answers = 0;
  asked.setRequestHandler("elicitation/create", async () => {
    answers += 1;
    if (answers > 1) await new Promise(() => {});
    return { action: "accept", content: { name: "Ada" } };
  });
  expect(await recourse(asked).call("greet")).toMatchObject({ ok: true, result: { content: [{ text: "Hello Ada" }] } });
  // A user who never answers, and a handler that does not heed the signal: the SDK alone would wait forever.
  expect(await recourse(asked).call("greet", {}, { deadlineMs: 100 })).toMatchObject({
    ok: false,
    fault: { reason: "core/timeout" },
  });
});
