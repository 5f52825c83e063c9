import { protocol } from "@recourse/faults";
import { mcp } from "@recourse/faults/dialects";
import { expect, test } from "vitest";
import { checkHeader, withPlaticaCodes } from "./edge.ts";

const request = (headers: Record<string, string> = {}) => new Request("http://server/mcp", { headers });

test.each([
  ["Bearer pl_key_x", true],
  ["Bearer pl_key_", true],
  ["Bearer abc", false],
  ["bearer pl_key_x", true],
  ["Basic pl_key_x", false],
  ["pl_key_x", false],
])("the header %j", (authorization, ok) => {
  expect(checkHeader(request({ authorization }))).toEqual({ ok });
});

/** What becomes of an answer. */
async function said(body: string, status: number): Promise<string> {
  const headers = { "x-kept": "yes" };
  const answer = await withPlaticaCodes(async () => new Response(body, { status, headers }))(request());
  expect([answer.status, answer.headers.get("x-kept")]).toEqual([status, "yes"]);
  return answer.text();
}

test("refusals with a code of Platica's document are rewritten", async () => {
  const wire = mcp.encode(protocol.parse_error.fault(), { method: "edge" });
  const text = await said(JSON.stringify({ jsonrpc: "2.0", id: 3, ...wire }), 400);
  expect(JSON.parse(text)).toMatchObject({ jsonrpc: "2.0", id: 3, error: { code: -32602 } });
});

test("errors that clients negotiate with stay unchanged", async () => {
  const wire = mcp.encode(protocol.version_unsupported.fault({}), { method: "edge" });
  const body = JSON.stringify({ jsonrpc: "2.0", id: 3, ...wire });
  expect(await said(body, 400)).toBe(body);
});

test("successes and unreadable bodies stay unchanged", async () => {
  expect(await said('{"result":{}}', 200)).toBe('{"result":{}}');
  expect(await said("<html>", 502)).toBe("<html>");
});
