import { createMcpHandler, inputRequired, McpServer, type ServerOptions } from "@modelcontextprotocol/server";
import { expect, it } from "vitest";
import { guard } from "../guard.ts";

// What the SDK itself refuses around a handler, in the form that the protocol demands of it.

const SECRET = "hunter2";

function build(): McpServer {
  const options: ServerOptions = {
    requestState: {
      verify: () => {
        throw new Error(SECRET);
      },
    },
  };
  const server = guard(new McpServer({ name: "s", version: "1" }, options), { sink: () => {} });
  const messages = [{ role: "user" as const, content: { type: "text" as const, text: "hi" } }];
  server.registerTool("samples", {}, () =>
    inputRequired({ inputRequests: { answer: inputRequired.createMessage({ messages, maxTokens: 1 }) } }),
  );
  server.registerPrompt("demands", {}, () => {
    const data = { requiredCapabilities: { [SECRET]: {}, sampling: { [SECRET]: {} }, elicitation: { url: {} } } };
    throw Object.assign(new Error(SECRET), { name: "ProtocolError", code: -32021, data });
  });
  server.registerResource("there", "res://there", {}, () => ({ contents: [] }));
  return server;
}

interface Answer {
  readonly status: number;
  readonly error: { readonly code: number; readonly data: Readonly<Record<string, unknown>> };
}

async function ask(method: string, params: Readonly<Record<string, unknown>>): Promise<Answer> {
  const name = String(params["name"] ?? params["uri"]);
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": method, "mcp-name": name };
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "c", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const request = new Request("http://127.0.0.1/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
  });
  const response = await createMcpHandler(build).fetch(request);
  const text = await response.text();
  expect(text).not.toContain(SECRET);
  return { status: response.status, ...(JSON.parse(text) as Omit<Answer, "status">) };
}

const reasonOf = ({ error }: Answer) => (error.data["recourse/fault"] as { readonly reason: string }).reason;

it("names the capability that a client has to declare", async () => {
  const answer = await ask("tools/call", { name: "samples", arguments: {} });
  expect([answer.status, answer.error.code]).toEqual([400, -32021]);
  expect(answer.error.data["requiredCapabilities"]).toEqual({ sampling: {} });
  expect(reasonOf(answer)).toBe("protocol/missing_client_capability");
});

it("names no capability that the protocol does not know", async () => {
  const answer = await ask("prompts/get", { name: "demands" });
  expect(answer.error.code).toBe(-32021);
  expect(answer.error.data["requiredCapabilities"]).toEqual({ sampling: {}, elicitation: { url: {} } });
});

it.each([
  ["tools/call", { name: "samples", arguments: {} }],
  ["prompts/get", { name: "demands" }],
  ["resources/read", { uri: "res://there" }],
])("refuses a state that is not its own as an error of the protocol: %s", async (method, params) => {
  const answer = await ask(method, { ...params, requestState: "forged", inputResponses: {} });
  expect(answer.error.code).toBe(-32602);
  expect(reasonOf(answer)).toBe("protocol/request_state_invalid");
});

it("names the resource that is not there, in the form that clients know it by", async () => {
  const answer = await ask("resources/read", { uri: "res://gone" });
  expect(answer.error.code).toBe(-32602);
  expect(answer.error.data).toEqual({ uri: "res://gone" });
});
