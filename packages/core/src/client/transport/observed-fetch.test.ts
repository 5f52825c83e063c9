import { expect, it, test } from "vitest";
import { observeTransport, rememberCredentials } from "./observed-fetch.ts";

const MARK = { id: "call-1", attempt: 1 };
const request = {
  method: "POST",
  redirect: "manual",
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { _meta: { "recourse/call": MARK } } }),
} as const;
const EVENTS = { "content-type": "text/event-stream" };

/** A watch over a peer that gives these answers, one after the other. */
function answering(answers: readonly Response[]) {
  const waiting = [...answers];
  return observeTransport({ fetch: async () => waiting.shift() ?? Response.error() });
}

test("a redirect that the client follows is another exchange", async () => {
  const moved = new Response("moved", { status: 307, headers: { location: "/there" } });
  const watched = answering([moved, Response.json({})]);
  expect(await watched.fetch("http://127.0.0.1:9/", request)).toBe(moved);
  expect(watched.take(MARK)).toMatchObject({ phase: "headers", exchanges: 1, status: 307 });
  const again = answering([moved, Response.json({})]);
  await again.fetch("http://127.0.0.1:9/", request);
  await (await again.fetch("http://127.0.0.1:9/there", request)).json();
  expect(again.take(MARK)).toMatchObject({ phase: "ended", exchanges: 2, status: 200 });
});

test("an event stream without a body is lost", async () => {
  const watched = answering([new Response(null, { headers: EVENTS })]);
  await watched.fetch("http://127.0.0.1:9/", request);
  expect(await watched.lost(MARK, AbortSignal.timeout(5_000))).toMatchObject({ phase: "headers", status: 200 });
});

test("a stream that the client itself hung up on is not lost", async () => {
  const watched = answering([new Response(": hello\n\n", { headers: EVENTS })]);
  const answer = await watched.fetch("http://127.0.0.1:9/", { ...request, signal: AbortSignal.abort() });
  await answer.text();
  await expect(watched.lost(MARK, AbortSignal.timeout(150))).rejects.toThrow("timeout");
});

it("finds the credentials of headers and of the address, also their parts", () => {
  const sent = rememberCredentials();
  expect(sent.filter()).toBeUndefined();
  sent.add("http://127.0.0.1/mcp?api_key=query-key-123456&page=next-page-9", {
    authorization: "Bearer bearer-value-1",
    "x-plain": "not-a-credential",
  });
  const filter = sent.filter();
  expect(filter?.has("the token bearer-value-1 is old")).toBe(true);
  expect(filter?.has("query-key-123456")).toBe(true);
  expect(filter?.has("not-a-credential next-page-9")).toBe(false);
});

it("remembers the last eight", () => {
  const sent = rememberCredentials();
  for (let n = 0; n < 9; n++) sent.add("http://127.0.0.1/", { authorization: `token-value-${n}-x` });
  expect(sent.filter()?.has("token-value-0-x")).toBe(false);
  expect(sent.filter()?.has("token-value-1-x")).toBe(true);
  expect(sent.filter()?.has("token-value-8-x")).toBe(true);
});
