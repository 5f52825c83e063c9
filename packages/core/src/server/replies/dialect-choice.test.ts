import { PassThrough } from "node:stream";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { call, post } from "../../../test/peers/server/guarded-handler.ts";
import { defineDialect } from "../../dialects/define.ts";
import { guard } from "../guard.ts";
import { guardHandler } from "../http/guard-handler.ts";
import { guardStdin } from "../stdio/stdin.ts";

const circular: Record<string, unknown> = {};
circular["self"] = circular;

const UNSENDABLE: readonly (readonly [string, () => unknown])[] = [
  ["a cycle", () => ({ error: { code: -32000, message: "x", data: circular } })],
  ["a BigInt", () => ({ error: { code: -32000, message: "x", data: { n: 1n } } })],
  ["a code that is no number", () => ({ error: { code: Number.NaN, message: "x" } })],
  ["a code that is no integer", () => ({ error: { code: 1.5, message: "x" } })],
  ["a message that is no text", () => ({ error: { code: -32000, message: 5 } })],
  ["no message", () => ({ error: { code: -32000 } })],
  ["an error that is a text", () => ({ error: "x" })],
  ["an error that JSON turns into nothing", () => ({ error: { code: 1, message: "x", toJSON: () => undefined } })],
  ["a result that is not marked as failed", () => ({ result: { content: [{ type: "text", text: "x" }] } })],
  ["a result without content", () => ({ result: { isError: true } })],
  ["a result with a cycle", () => ({ result: { isError: true, content: [], structuredContent: circular } })],
  ["a result that is a list", () => ({ result: [] })],
  ["a text", () => "x"],
  ["nothing", () => undefined],
];

const dialectOf = (encode: () => unknown) =>
  defineDialect<unknown>({ name: "broken", encode, decode: () => undefined });

describe.each(UNSENDABLE)("a dialect that writes %s", (_what, encode) => {
  const dialect = dialectOf(encode);

  test("does not keep a tool call from its answer", async () => {
    const handler = guardHandler(
      createMcpHandler(() => {
        const server = guard(new McpServer({ name: "s", version: "1" }), { dialect, sink: () => {} });
        server.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, () => {
          throw new Error("boom");
        });
        return server;
      }),
      { dialect, sink: () => {} },
    );
    const body = (await (await handler.fetch(post(call()))).json()) as object;
    expect(body).toMatchObject({ id: 7, result: { isError: true } });
    expect(JSON.stringify(body)).toContain('"core/internal"');
  }, 2_000);

  test("does not keep the edge from its answer", async () => {
    const handler = guardHandler((_: Request) => new Response("{}"), { dialect, body: { maxBytes: 10 } });
    expect(await (await handler(post(call()))).json()).toMatchObject({
      error: { code: -32602, data: { "recourse/fault": { reason: "content/message_too_large" } } },
    });
  });

  test("does not keep standard input from its answer", async () => {
    const stream = new PassThrough();
    const written: string[] = [];
    guardStdin({ stream, output: { write: (text) => written.push(text) }, dialect, sink: () => {} });
    stream.on("data", () => {});
    stream.write("nonsense\n");
    await new Promise((resolve) => setImmediate(resolve));
    expect(written.map((text) => JSON.parse(text) as unknown)).toMatchObject([
      { error: { code: -32700, message: expect.any(String) } },
    ]);
  });
});
