import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, it } from "vitest";
import { runs } from "../../../test/runs.ts";
import { guardHandler } from "./guard-handler.ts";

const SECRET = "Zq7-planted-secret-x9";
const ANSWERS = fc.record({
  status: fc.integer({ min: 400, max: 599 }).filter((status) => status !== 499),
  type: fc.constantFrom("text/plain", "application/json", "application/problem+json", "text/html", "text/event-stream"),
  header: fc.constantFrom("x-detail", "www-authenticate", "retry-after", "ratelimit", "warning", "location", "link"),
  code: fc.constantFrom(
    -32700,
    -32600,
    -32601,
    -32602,
    -32603,
    -32000,
    -32001,
    -32002,
    -32020,
    -32021,
    -32022,
    -32042,
    1045,
  ),
  shape: fc.constantFrom("text", "rpc", "oauth", "problem"),
  accept: fc.constantFrom("application/json", "application/problem+json", "*/*"),
});
const SHAPES = {
  text: () => `failed: ${SECRET}`,
  rpc: (code: number) =>
    JSON.stringify({ jsonrpc: "2.0", error: { code, message: SECRET, data: { sql: SECRET } }, id: null }),
  oauth: () => JSON.stringify({ error: "invalid_token", error_description: SECRET }),
  problem: () => JSON.stringify({ type: "about:blank", title: SECRET, detail: SECRET, errors: [{ detail: SECRET }] }),
} as const satisfies Record<string, (code: number) => string>;

it("never lets a word of a handler's own error out, nor a code that is not legal", async () => {
  await fc.assert(
    fc.asyncProperty(ANSWERS, async ({ status, type, header, code, shape, accept }) => {
      const headers = { "content-type": type, [header]: `Bearer error_description="${SECRET}" ${SECRET}` };
      const inner = (_: Request) => Promise.resolve(new Response(SHAPES[shape](code), { status, headers }));
      const request = new Request("http://127.0.0.1/", {
        method: "POST",
        headers: { "content-type": "application/json", accept },
        body: '{"jsonrpc":"2.0","id":"a","method":"tools/call"}',
      });
      const response = await guardHandler(inner, { sink: () => {} })(request);
      const text = await response.text();
      expect([...response.headers, text].join("\n")).not.toContain(SECRET);
      const body = JSON.parse(text) as { id?: unknown; status?: unknown; error?: { code: number } };
      expect(response.status).toBe(status);
      const legal = [-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022];
      if (accept === "application/problem+json") expect(body.status).toBe(status);
      else expect([body.id, legal.includes(body.error?.code ?? 0)]).toEqual(["a", true]);
    }),
    { numRuns: runs(1_000) },
  );
});

it.each([
  ["UTF-16", Buffer.from(SHAPES.rpc(-32603), "utf16le")],
  ["bytes that are not UTF-8", Buffer.concat([Buffer.from(SHAPES.text()), Buffer.from([0xff])])],
  ["gzip without its header", gzipSync(SHAPES.problem())],
])("never shows a handler's own error in %s", async (_name, bytes) => {
  const inner = (_: Request) => Promise.resolve(new Response(bytes, { status: 400 }));
  const headers = { "content-type": "application/json" };
  const request = new Request("http://127.0.0.1/", { method: "POST", headers, body: '{"jsonrpc":"2.0","id":"a"}' });
  const text = await (await guardHandler(inner, { sink: () => {} })(request)).text();
  expect(text.replaceAll("\\u0000", "")).not.toMatch(/planted|\ufffd/);
});
