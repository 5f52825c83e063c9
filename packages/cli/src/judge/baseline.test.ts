import { describe, expect, it } from "vitest";
import { parseBaseline } from "./baseline.ts";

const rules = { set: 1, ids: new Set(["leak-path", "no-hang"]) };

describe("parseBaseline", () => {
  it("reads known and forced findings with their reasons", () => {
    const text = JSON.stringify({ set: 1, known: { "leak-path": "old logs" }, forced: { "no-hang": "by contract" } });
    expect(parseBaseline(text, rules)).toEqual({
      ok: true,
      baseline: { set: 1, known: { "leak-path": "old logs" }, forced: { "no-hang": "by contract" } },
    });
    expect(parseBaseline('{"set":1}', rules)).toEqual({ ok: true, baseline: { set: 1, known: {}, forced: {} } });
  });

  it.each([
    ["nonsense", /not JSON of the form/],
    ["[]", /not JSON of the form/],
    ['{"set":2}', /for set 2, and this probe judges by set 1/],
    ['{"known":{}}', /for set undefined/],
    ['{"set":1,"ignore":{}}', /a member "ignore"/],
    ['{"set":1,"known":["leak-path"]}', /"known" of the baseline is not an object/],
    ['{"set":1,"known":{"leak-pth":"x"}}', /names "leak-pth", which is not a check/],
    ['{"set":1,"known":{"constructor":"x"}}', /names "constructor", which is not a check/],
    ['{"set":1,"known":{"leak-path":" "}}', /gives no reason for "leak-path"/],
    ['{"set":1,"known":{"leak-path":true}}', /gives no reason for "leak-path"/],
    ['{"set":1,"known":{"leak-path":"x"},"forced":{"leak-path":"y"}}', /names "leak-path" twice/],
  ])("refuses %s", (text, problem) => {
    expect(parseBaseline(text, rules)).toEqual({ ok: false, problem: expect.stringMatching(problem) });
  });
});
