import { stampFault } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import { describe, expect, it } from "vitest";
import { readStored, responseWith, resultIn, writeStored } from "./outcome.ts";

const RESULT = '{ "content":[], "n":12345678901234567890 }';

describe("an outcome", () => {
  it("is a result that is kept byte for byte", () => {
    expect(readStored(writeStored({ result: RESULT }))).toEqual({ result: RESULT });
  });

  it("is a fault with all that was sent", () => {
    const fault = stampFault(core.internal.fault(), {
      incident: "0123456789ABCDEFGHJKMNPQRS",
      at: "2026-11-16T00:00:00.000Z",
      trace: undefined,
      origin: { layer: "gateway", name: "gw" },
    });
    expect(readStored(writeStored({ fault }))).toEqual({ fault });
  });

  it.each(["", "null", "{}", '{"other":1}', '{"fault":{}}'])("is not %j", (text) => {
    expect(readStored(text)).toBeUndefined();
  });
});

describe("the result in a response", () => {
  it.each([
    [`{"jsonrpc":"2.0","id":1,"result":${RESULT}}`, RESULT],
    [`{"result":${RESULT} , "id":1,"jsonrpc":"2.0"}`, RESULT],
    [`{"result":1,"result":${RESULT}}`, RESULT],
    ['{"error":{"code":1}}', undefined],
  ])("%s: %s", (response, result) => {
    expect(resultIn(Buffer.from(response))).toBe(result);
  });
});

describe("the response to another message", () => {
  it.each([
    ['{"content":[]}', undefined, '{"content":[]}'],
    ['{"content":[]}', "2026-07-28", '{"resultType":"complete","content":[]}'],
    ["{ }", "2026-07-28", '{"resultType":"complete"}'],
    ['{"a":1,"resultType":"x"}', "2026-07-28", '{"a":1,"resultType":"x"}'],
  ] as const)("with %s for %s", (result, revision, typed) => {
    expect(responseWith(result, '"7"', revision).toString()).toBe(`{"jsonrpc":"2.0","id":"7","result":${typed}}`);
  });
});
