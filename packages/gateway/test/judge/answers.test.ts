// What is a success, and what is not an answer at all.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readUpstreamAnswer } from "../../src/judge/read-answer.ts";
import { answer, error, judged, result } from "./support.ts";

const OK = { content: [{ type: "text", text: "bought" }] };
const FILLER = "x".repeat(20_000);

describe("a success passes as the bytes that came", () => {
  test.each([
    ["a result", '{"jsonrpc":"2.0","id":7,"result":{"content":[]}}'],
    [
      "numbers that no parser keeps",
      '{ "jsonrpc":"2.0", "id":7,"result":{"content":[],"n":12345678901234567890,"e":1e400}}',
    ],
    ["other orders of members", '{"result":{"content":[]},"id":7,"jsonrpc":"2.0"}'],
    ["isError that says no", '{"jsonrpc":"2.0","id":7,"result":{"content":[],"isError":false}}'],
    ["a large result", `{"jsonrpc":"2.0","id":7,"result":{"content":[],"x":"${FILLER}"}}`],
    ["a large result of the official server", `{"result":{"content":[],"x":"${FILLER}"},"jsonrpc":"2.0","id":7}`],
    ["a large result whose id is last", `{"jsonrpc":"2.0","result":{"content":[],"x":"${FILLER}"},"id":7}`],
    [
      "a large result that speaks of errors",
      `{"jsonrpc":"2.0","id":7,"result":{"content":[{"error":1}],"x":"${FILLER}"}}`,
    ],
    ["a large result with spaces", `{ "jsonrpc": "2.0", "id": 7, "result": {"content":[],"x":"${FILLER}"}}`],
  ])("%s", (_, body) => {
    const reply = answer(body);
    const { fault, call } = judged(reply);
    expect(fault).toBeUndefined();
    expect(call.answer?.toString()).toBe(body);
  });

  test("a notification that was taken has no answer", () => {
    const { fault, call } = judged(answer("", 202), { id: null, method: "notifications/cancelled" });
    expect(fault).toBeUndefined();
    expect(call.answer).toBeUndefined();
  });
});

describe("what is not the answer to the message", () => {
  test.each([
    ["nothing", ""],
    ["a page", "<html><body>Sign in</body></html>"],
    ["a large page", `<html>${FILLER}</html>`],
    ["JSON that breaks off", '{"jsonrpc":"2.0","id":7,"result":{"con'],
    ["large JSON that breaks off", `{"jsonrpc":"2.0","id":7,"result":{"content":"${FILLER}`],
    ["another id", '{"jsonrpc":"2.0","id":8,"result":{}}'],
    ["an id of another type", '{"jsonrpc":"2.0","id":"7","result":{}}'],
    ["no id", '{"jsonrpc":"2.0","result":{}}'],
    ["another id in a large answer", `{"jsonrpc":"2.0","id":8,"result":{"id":7,"x":"${FILLER}"}}`],
    ["an id inside of the large result", `{"jsonrpc":"2.0","result":{"x":"${FILLER}","id":7},"id":8}`],
    ["the error of another", '{"jsonrpc":"2.0","id":8,"error":{"code":-32000,"message":"no"}}'],
    ["a batch", '[{"jsonrpc":"2.0","id":7,"result":{}}]'],
    ["a plain object", '{"content":[]}'],
    ["another version", '{"jsonrpc":"1.0","id":7,"result":{}}'],
    ["a result that is no object", '{"jsonrpc":"2.0","id":7,"result":"ok"}'],
    ["neither result nor error", '{"jsonrpc":"2.0","id":7}'],
    [
      "bytes that are not UTF-8",
      Buffer.concat([
        Buffer.from('{"jsonrpc":"2.0","id":7,"result":{"x":"'),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('"}}'),
      ]),
    ],
  ])("%s", (_, body) => {
    const { fault, call } = judged(answer(body));
    expect(fault).toMatchObject({
      reason: "protocol/invalid_result",
      effect: "possible",
      origin: { layer: "upstream", name: "shop" },
    });
    expect(call.answer).toBeUndefined();
    expect(call.cause).toMatchObject({ name: "UpstreamAnswer", status: 200 });
  });

  test("a message that only reads has changed nothing", () => {
    expect(judged(answer("<html>"), { readOnly: true, options: { trustAnnotations: true } }).fault?.effect).toBe(
      "none",
    );
    expect(judged(answer("<html>"), { method: "resources/read", params: { uri: "a://b" } }).fault?.effect).toBe("none");
  });
});

describe("a failure is found", () => {
  const LARGE = { x: FILLER };
  test.each([
    ["an error", error(-32603, "boom")],
    ["an error without an id", answer({ jsonrpc: "2.0", id: null, error: { code: -32603, message: "boom" } })],
    ["isError", result({ ...OK, isError: true })],
    ["isError that is not a boolean", result({ ...OK, isError: "true" })],
    ["isError at the end of a large result", result({ ...LARGE, content: [], isError: true })],
    [
      "an escaped name in a large result",
      answer(`{"jsonrpc":"2.0","id":7,"result":{"x":"${FILLER}","content":[],"is\\u0045rror":true}}`),
    ],
    ["a large error", answer({ jsonrpc: "2.0", id: 7, error: { code: -32603, message: FILLER } })],
    ["a status", answer("", 500)],
    ["a status with a result", answer({ jsonrpc: "2.0", id: 7, result: OK }, 502)],
    ["a status of success that is not 200", answer({ jsonrpc: "2.0", id: 7, result: OK }, 202)],
    ["a redirect", answer("", 302, { location: "https://login.example" })],
  ])("%s", (_, reply) => {
    const { fault, call } = judged(reply);
    expect(fault?.effect).toBe("possible");
    expect(fault?.origin).toEqual({ layer: "upstream", name: "shop" });
    expect(call.answer).toBeUndefined();
  });
});

describe("a large answer", () => {
  const SIGNS = ['"isError"', '"error"', "input_req", "\\u00"];

  test.each(SIGNS)("with %s is read, so it has to be JSON", (sign) => {
    const body = (inside: string) => Buffer.from(`{"jsonrpc":"2.0","id":7,"result":{"x":"${FILLER}",${inside}}}`);
    expect(readUpstreamAnswer(body(`"y":x ${sign}`), 7).kind).toBe("invalid");
    expect(readUpstreamAnswer(body('"y":x'), 7).kind).toBe("result");
  });

  const word = fc.constantFrom(...SIGNS, 'rror"', "_req", "u00", "error", "input_required", "terror", "x");
  const member = fc.oneof(
    fc.constantFrom('"isError":true', '"isError":false', '"is\\u0045rror":true', '"error":{}'),
    fc.constantFrom('"resultType":"input_required"', '"resultType":"\\u0069nput_required"', '"resultType":"task"'),
    word.map((text) => `"text":${JSON.stringify(text)}`),
    word.map((text) => `${JSON.stringify(text)}:{"isError":true,"error":1}`),
  );
  const envelope = fc.constantFrom(
    (result: string) => `{"jsonrpc":"2.0","id":7,"result":${result}}`,
    (result: string) => `{"result":${result},"jsonrpc":"2.0","id":7}`,
    (result: string) => `{"jsonrpc":"2.0","result":${result},"id":7}`,
    (result: string) => `{"jsonrpc":"2.0","id":7,"error":${result}}`,
    (result: string) => `{"jsonrpc":"2.0","id":8,"result":${result}}`,
  );

  test("is judged as the same answer would be if it were small", () => {
    fc.assert(
      fc.property(envelope, fc.array(member), fc.array(member), (write, before, after) => {
        const body = (filler: string) => Buffer.from(write(`{${[...before, `"x":"${filler}"`, ...after].join()}}`));
        expect(readUpstreamAnswer(body(FILLER), 7).kind).toBe(readUpstreamAnswer(body("x"), 7).kind);
      }),
    );
  });
});

describe("failures that say success", () => {
  const text = (value: unknown) => result({ content: [{ type: "text", text: JSON.stringify(value) }] });
  test.each([
    ["a flag and an error in the text", text({ success: false, error: "Out of stock" })],
    [
      "a flag and an error in the data",
      result({ content: [], structuredContent: { ok: false, error: { message: "Out of stock" } } }),
    ],
    [
      "an error of JSON-RPC inside of the result",
      result({ content: [], error: { code: -32000, message: "Out of stock" } }),
    ],
  ])("%s", (_, reply) => {
    const { fault } = judged(reply);
    expect(fault?.effect).toBe("possible");
    expect(fault?.quote?.text).toContain("Out of stock");
  });

  test.each([
    ["a check that says no", text({ ok: false })],
    ["data about an error", text({ error: "E42", meaning: "The door is open." })],
    ["a status of something else", result({ content: [], structuredContent: { status: "failed", build: 7 } })],
  ])("%s is a result", (_, reply) => {
    const { fault, call } = judged(reply);
    expect(fault).toBeUndefined();
    expect(call.answer).toBeDefined();
  });
});
