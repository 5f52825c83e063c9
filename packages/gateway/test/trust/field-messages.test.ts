// What a service says of a field, and what a guarded server's author wrote in a schema, on its way through the gateway.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { guard, toNodeListener } from "@recourse/core/server";
import { answerJson, listenOnLoopback, startUpstream } from "@recourse/test-kit/loopback";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { httpUpstream, restUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { callTool } from "../support/post.ts";

/** What a caller reads of a failed call of `pay`. */
async function textOf(url: URL): Promise<string> {
  const { text } = await callTool(url, "pay", { args: '{"iban":"hunter2"}' });
  return (JSON.parse(text) as { readonly result: { readonly content: readonly { readonly text: string }[] } }).result
    .content[0]?.text as string;
}

test.each<[string, unknown]>([
  ["FastAPI", { detail: [{ type: "value_error", loc: ["body", "iban"], msg: "Value error, must be a German IBAN" }] }],
  ["Rails", { errors: { iban: ["must be a German IBAN"] } }],
  ["JSON:API", { errors: [{ source: { pointer: "/iban" }, detail: "must be a German IBAN" }] }],
  ["RFC 9457", { errors: [{ pointer: "#/iban", detail: "must be a German IBAN" }] }],
])("a REST API that answers like %s", async (_, body) => {
  const api = await startUpstream((__, response) => answerJson(response, 422, body));
  const folder = await mkdtemp(join(tmpdir(), "rest-"));
  onTestFinished(async () => {
    await api.close();
    await rm(folder, { recursive: true });
  });
  const document = join(folder, "bank.json");
  const schema = { type: "object", properties: { iban: { type: "string" } } };
  const requestBody = { content: { "application/json": { schema } } };
  const paths = {
    "/payments": { post: { operationId: "pay", requestBody, responses: { 201: { description: "paid" } } } },
  };
  const info = { title: "Bank", version: "1" };
  await writeFile(document, JSON.stringify({ openapi: "3.1.0", info, servers: [{ url: api.url }], paths }));
  const { url } = await startTestGateway({ upstreams: [restUpstream(document)] });
  expect(await textOf(url)).toBe(
    "The service rejected the arguments: iban: “must be a German IBAN”. Correct the arguments and call again.",
  );
});

test("a guarded server", async () => {
  const handler = createMcpHandler(() => {
    const server = guard(new McpServer({ name: "bank", version: "1" }), { sink: () => {} });
    const inputSchema = z.object({ iban: z.string().regex(/^DE\d{20}$/, "must be a German IBAN") });
    server.registerTool("pay", { inputSchema }, () => ({ content: [] }));
    return server;
  });
  const upstream = await listenOnLoopback(createServer(toNodeListener(handler)));
  onTestFinished(() => upstream.close());
  const { url } = await startTestGateway({ upstreams: [httpUpstream(upstream.url)] });
  expect(await textOf(url)).toContain("must be a German IBAN");
  expect(await textOf(url)).not.toContain("hunter2");
});
