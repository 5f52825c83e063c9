import { createSecretFilter, defineReason, slot } from "@recourse/core";
import { describe, expect, test } from "vitest";
import type { FailureCode, HttpReply, ReplyHeaders } from "../network/exchange.ts";
import type { Operation } from "../operations/operation.ts";
import { bodyErrorFault, exchangeFault, type ReplyFacts, reasonForStatus, replyFault, UpstreamReply } from "./fault.ts";
import { bodyText, parseExactJson, toResult } from "./result.ts";

const OPERATION = { name: "tool", method: "POST", path: "/a", arguments: [], responses: [] } as unknown as Operation;
const reply = (status: number, body: string | Uint8Array, headers: ReplyHeaders = {}): HttpReply => ({
  status,
  headers,
  body: typeof body === "string" ? new TextEncoder().encode(body) : body,
});
const result = (one: HttpReply, secrets: readonly string[] = []) =>
  toResult(one, bodyText(one), { operation: OPERATION, secrets: createSecretFilter(secrets), now: 0 });

describe("no reply", () => {
  test.each<[FailureCode, boolean, string, string, string]>([
    ["address_not_allowed", false, "core/misconfigured", "none", "stop"],
    ["misconfigured", false, "core/misconfigured", "none", "stop"],
    ["unreachable", false, "core/unavailable", "none", "retry"],
    ["connection_lost", true, "transport/connection_lost", "possible", "refresh"],
    ["timeout", true, "core/timeout", "possible", "refresh"],
    ["unreadable", true, "rest/unexpected_content", "possible", "refresh"],
    ["too_large", true, "rest/response_too_large", "possible", "refresh"],
    ["overloaded", false, "core/overloaded", "none", "retry"],
    ["cancelled", true, "core/cancelled", "possible", "stop"],
    ["cancelled", false, "core/cancelled", "none", "stop"],
    ["closed", false, "core/unavailable", "none", "retry"],
  ])("%s, sent: %s", (code, sent, reason, effect, first) => {
    const fault = exchangeFault({ code, sent }, { changes: true, repeatable: false });
    expect([fault.reason, fault.effect, fault.recourse[0].do]).toEqual([reason, effect, first]);
    expect(exchangeFault({ code, sent }, { changes: false, repeatable: true }).effect).toBe("none");
  });

  test("after a success status means that the call was applied", () => {
    expect(bodyErrorFault("timeout", { changes: true, repeatable: false })).toMatchObject({
      reason: "core/timeout",
      effect: "applied",
    });
  });
});

test("the most specific status counts, and a success has no reason", () => {
  const [a, b, c] = ["a", "b", "c"].map((id) => ({ id }) as never);
  const errors = { 404: a as never, "4XX": b as never, default: c as never };
  const found = [404, 409, 500, 302, 600].map((status) => reasonForStatus(errors, status));
  expect(found).toEqual([a, b, c, undefined, undefined]);
});

test("JSON is plain data of bounded depth, with exact integers", () => {
  const text = '{"__proto__":{"x":1},"a":9007199254740993,"b":1e400,"c":1.0000000000000001}';
  expect(parseExactJson(text)).toEqual({ ok: true, value: { a: "9007199254740993", c: 1 } });
  expect(parseExactJson("nonsense")).toEqual({ ok: false, code: "not_json" });
  expect(parseExactJson("[".repeat(200) + "]".repeat(200))).toEqual({ ok: false, code: "too_deep" });
});

describe("a result", () => {
  test.each<[string, HttpReply, unknown]>([
    ["an object", reply(200, '{"a":1}'), { structuredContent: { a: 1 } }],
    ["a list", reply(200, "[1]"), { structuredContent: { items: [1] } }],
    ["a plain value", reply(200, "3"), { structuredContent: { value: 3 } }],
    ["nothing", reply(204, ""), { structuredContent: {} }],
    ["text", reply(200, "hi", { "content-type": "text/plain" }), { content: [{ type: "text", text: "hi" }] }],
    ["a sound", reply(200, "x", { "content-type": "audio/ogg" }), { content: [{ type: "audio", data: "eA==" }] }],
    ["an image", reply(200, "x", { "content-type": "image/png" }), { content: [{ type: "image" }] }],
    [
      "bytes",
      reply(200, "x", { "content-type": "application/zip" }),
      { content: [{ type: "resource", resource: { uri: "answer:tool", mimeType: "application/zip", blob: "eA==" } }] },
    ],
    [
      "bytes of a type that is none",
      reply(200, "x", { "content-type": "evil\u0001/\u0002" }),
      { content: [{ type: "resource", resource: { mimeType: "application/octet-stream" } }] },
    ],
    ["accepted", reply(202, ""), { structuredContent: { status: "accepted" } }],
    ["accepted with a text", reply(202, "ok"), { structuredContent: { status: "accepted", body: "ok" } }],
  ])("%s", (_, one, expected) => {
    expect(result(one)).toMatchObject(expected as object);
  });

  test("with a secret in a text is refused", () => {
    expect(result(reply(200, "key 0123456789abcdef"), ["0123456789abcdef"])).toBeUndefined();
  });
});

test("text is decoded in its character set; in an unknown one it is not text", () => {
  expect(bodyText(reply(200, Uint8Array.of(0xe9), { "content-type": 'text/plain; charset="iso-8859-1"' }))).toBe("é");
  expect(bodyText(reply(200, "x", { "content-type": "text/plain; charset=klingon" }))).toBeUndefined();
  expect(bodyText(reply(200, "x", { "content-type": "image/png" }))).toBeUndefined();
  expect(bodyText(reply(200, "x"))).toBe("x");
});

describe("a fault in an answer", () => {
  const facts: ReplyFacts = {
    operation: OPERATION,
    changes: true,
    repeatable: false,
    credential: "own",
    errors: {},
    foreignText: "hide",
    speaksFaults: false,
    secrets: undefined,
    sent: {},
    name: "crm",
    now: 0,
  };
  const page = (type: string) => reply(200, "<html>", { "content-type": type });
  const declaring = (...mediaTypes: string[]) =>
    ({ ...OPERATION, responses: [{ status: "2XX", description: "", mediaTypes }] }) as unknown as Operation;

  test("quotes a message that repeats what the caller sent, and no other address", () => {
    const text = JSON.stringify({ detail: "No customer has the address ann@example.org." });
    const quoteFor = (sent: unknown) =>
      replyFault(reply(404, text), text, { ...facts, foreignText: "public", sent })?.quote?.text;
    expect(quoteFor({ email: "ann@example.org" })).toBe("No customer has the address ann@example.org.");
    expect(quoteFor({ email: "bob@example.org" })).toBe("No customer has the address [removed].");
  });

  test("fills slots of a reason only with what passes the full filter", () => {
    const text = JSON.stringify({ id: "/srv/crm/7", name: "Ann" });
    const gone = defineReason("crm/gone", {
      kind: "not_found",
      text: "No customer[ {name}][ at {id}].",
      slots: { name: slot.optional(slot.text(40)), id: slot.optional(slot.text(40)) },
    });
    const fault = replyFault(reply(404, text), text, { ...facts, errors: { 404: gone } });
    expect(fault?.message).toBe('No customer "Ann".');
  });

  test.each<[string, readonly string[], string, boolean]>([
    ["undeclared", [], "text/html", true],
    ["JSON was declared", ["application/json"], "text/html", true],
    ["JSON was declared, and text came", ["application/json; charset=utf-8"], "text/plain", true],
    ["it was declared", ["text/html", "application/json"], "text/html", false],
    ["anything was declared", ["*/*"], "text/html", false],
    ["something else was declared", ["text/csv"], "text/plain", false],
  ])("is a page where %s", (_, types, type, isFault) => {
    const fault = replyFault(page(type), "<html>", { ...facts, operation: declaring(...types) });
    expect(fault?.reason).toBe(isFault ? "rest/unexpected_content" : undefined);
  });

  test("has the id that the service gave to the request, also where the body of a success is lost", () => {
    const headers = { "x-request-id": "r-42" };
    const lost: HttpReply = { ...reply(200, "", headers), bodyError: "connection_lost" };
    expect(replyFault(lost, "", facts)).toMatchObject({ reason: "transport/connection_lost", requestId: "r-42" });
    expect(replyFault(reply(503, "", headers), "", facts)).toMatchObject({
      requestId: "r-42",
      origin: { layer: "upstream", name: "crm" },
    });
  });

  test("is decoded from the status even without the body", () => {
    const half: HttpReply = { ...reply(429, "", { "retry-after": "2" }), bodyError: "connection_lost" };
    expect(replyFault(half, "", facts)).toMatchObject({ kind: "rate_limited", retry: { afterMs: 2_000 } });
  });
});

test("the text of a service is kept for the operator, up to a limit", () => {
  const headers = { "request-id": ["any form of an id"] };
  const { message, status, requestId } = new UpstreamReply("GET /a", { status: 500, headers }, "x".repeat(10_000));
  expect({ status, requestId }).toEqual({ status: 500, requestId: "any form of an id" });
  expect(message).toContain("GET /a answered with status 500, request id any form of an id: xxx");
  expect(message.length).toBeLessThan(4_100);
});
