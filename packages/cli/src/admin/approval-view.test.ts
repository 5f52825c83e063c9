import { expectCost } from "@recourse/test-kit/yardstick";
import { expect, test } from "vitest";
import { indentJson, showUnseen } from "./approval-view.ts";

test.each([
  ["pay\u200b", "pay\\u200b"],
  ["a\u202eb", "a\\u202eb"],
  ["\u00a0\u3000", "\\u00a0\\u3000"],
  ["tag\u{e0041}", "tag\\udb40\\udc41"],
  ["hidden\ufe0f\u{e0100}", "hidden\\ufe0f\\udb40\\udd00"],
  ["\u001b[2J\n\t", "\\u001b[2J\\n\\t"],
  ["plain äé 漢字 😀", "plain äé 漢字 😀"],
])("%j shows all of its characters", (text, shown) => {
  expect(showUnseen(text)).toBe(shown);
});

test("JSON gets lines, and not a digit or a member is lost", () => {
  const text = '{"a":12345678901234567890,"a":1.0,"b":[],"c":{},"d":[1,{"e":"x, y: {z} \\"q\\""}],"f":""}';
  expect(indentJson(text)).toEqual([
    "{",
    '  "a": 12345678901234567890,',
    '  "a": 1.0,',
    '  "b": [],',
    '  "c": {},',
    '  "d": [',
    "    1,",
    "    {",
    '      "e": "x, y: {z} \\"q\\""',
    "    }",
    "  ],",
    '  "f": ""',
    "}",
  ]);
  expect(indentJson(text).join("").replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
});

test.each(["", "{", '{"a":"never ends', "}}}}", "null", '"\\', "][,:"])(
  "%j, which is cut or wrong, is shown",
  (text) => {
    expect(indentJson(text).join("").replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
  },
);

test.each(["[", '"\\', '"', "{ "])("100,000 characters of %j cost ten times what 10,000 do", async (piece) => {
  const long = piece.repeat(100_000 / piece.length);
  const short = piece.repeat(10_000 / piece.length);
  await expectCost({ work: () => indentJson(long), yardstick: () => indentJson(short), atMost: 30 });
});
