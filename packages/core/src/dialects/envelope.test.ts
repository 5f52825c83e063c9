import { describe, expect, it } from "vitest";
import { failureSign, looksFailed } from "./envelope.ts";
import { closient, detect, onx } from "./index.ts";

const CLOSIENT = {
  code: -32200,
  message: "Not Found",
  data: { status: 404, detail: "No product found", error_code: "not_found", retryable: false },
};
const ONX = { code: 2003, message: "No such order", retryable: false, details: { field: "order.id" } };

const asData = (value: object) => ({ content: [{ type: "text", text: "failed" }], structuredContent: value });
const asText = (value: object, space?: number) => ({
  content: [{ type: "text", text: JSON.stringify(value, undefined, space) }],
});

describe.each([
  ["closient", closient, CLOSIENT],
  ["onx", onx, ONX],
] as const)("an error object of %s", (name, dialect, error) => {
  const known = dialect.decode({ content: [], error });
  const places = [
    ["in structuredContent", asData({ error })],
    ["as JSON text", asText({ error })],
    ["as JSON text with line breaks and other members", asText({ tool: "x", error }, 2)],
  ] as const;

  it.each(places)("is read %s, where the call may have had an effect", (_place, result) => {
    const fault = dialect.decode({ jsonrpc: "2.0", id: 1, result });
    expect(fault).toMatchObject({ reason: known?.reason, quote: known?.quote, basis: "mapped", effect: "possible" });
    expect(detect(result)).toEqual({ fault, dialect: name, basis: "mapped" });
  });

  it.each(places)("is read %s like a member of the result, where isError marks a failure", (_place, result) => {
    const marked = { ...result, isError: true };
    expect(known?.effect).toBe("none");
    expect(dialect.decode(marked)).toEqual(known);
    expect(detect(marked)?.fault).toEqual(known);
  });

  it("keeps an effect that the server states", () => {
    const result = { ...asData({ error }), _meta: { "recourse/effect": "applied" } };
    expect(dialect.decode(result)?.effect).toBe("applied");
    expect(dialect.decode({ ...result, _meta: { "recourse/effect": "none" } })?.effect).toBe("possible");
  });

  it("does not count as one of two texts, or in a text that is no object", () => {
    const [block] = asText({ error }).content;
    expect(detect({ content: [block, block] })).toBeUndefined();
    expect(detect({ content: [{ type: "text", text: `The log says ${block?.text}` }] })).toBeUndefined();
    expect(detect(asText({ error, log: "x".repeat(20_000) }))).toBeUndefined();
  });
});

describe("a success with a member named error", () => {
  it.each([
    null,
    "none",
    [],
    {},
    7,
    { message: "x" },
    { code: "E1", message: "x", retryable: true },
    { code: 404, message: "x" },
    { code: 404, message: "x", details: {} },
    { code: 404, retryable: false },
    { code: -32200, message: "Not Found" },
    { code: -32200, message: "Not Found", data: { error_code: "not_found" } },
    { code: -32601, message: "Method not found" },
    { message: "Not Found", data: { error_code: "not_found", retryable: false } },
  ])("stays one: %j", (error) => {
    for (const result of [asData({ error }), asText({ error })]) {
      expect(closient.decode(result)).toBeUndefined();
      expect(onx.decode(result)).toBeUndefined();
      expect(detect(result)).toBeUndefined();
    }
  });
});

const text = (body: string) => ({ content: [{ type: "text", text: body }] });

describe("a result without isError", () => {
  it.each([
    ["success: false as data", { content: [], structuredContent: { success: false } }],
    ["ok: false as data", { structuredContent: { ok: false, error: "x" } }],
    ["success: false as text", text('{"success":false,"message":"no"}')],
  ])("has a flag: %s", (_what, result) => {
    expect(failureSign(result)).toBe("flag");
    expect(looksFailed(result)).toBe(true);
  });

  it.each([
    ["an error as data", { structuredContent: { error: { code: 1 } } }],
    ["an error as text", text('{"error":"no"}')],
    ["a status of its own", { structuredContent: { status: "failed" } }],
  ])("has a hint: %s", (_what, result) => {
    expect(failureSign(result)).toBe("hint");
    expect(looksFailed(result)).toBe(true);
  });

  it.each([
    ["a success", { structuredContent: { success: true } }],
    ["a result with isError", { isError: true, structuredContent: { success: false } }],
    ["a sentence", text('It said {"success":false}.')],
    ["text that is not JSON", text('{"success":false')],
    ["a long text", text(`{"success":false,"log":"${"x".repeat(2_000)}"}`)],
    ["several blocks", { content: [...text('{"success":false}').content, { type: "text", text: "more" }] }],
    ["a list", { structuredContent: [{ success: false }] }],
    ["nothing", undefined],
  ])("has no sign: %s", (_what, result) => {
    expect(failureSign(result)).toBeUndefined();
  });
});
