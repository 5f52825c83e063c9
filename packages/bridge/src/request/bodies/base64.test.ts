import { expect, it } from "vitest";
import { fromBase64 } from "./base64.ts";

it.each([
  ["", []],
  ["AQID", [1, 2, 3]],
  ["AQI=", [1, 2]],
  ["AQI", [1, 2]],
  ["-_8", [251, 255]],
  ["+/8=", [251, 255]],
])("reads %j", (text, bytes) => {
  expect(fromBase64(text, 10)).toEqual({ ok: true, value: Uint8Array.from(bytes) });
});

it.each([
  ["A", "format"],
  ["AQ ID", "format"],
  ["AQID\n", "format"],
  ["data:image/png;base64,AQID", "format"],
  ["A".repeat(400), "length"],
  [5, "type"],
  [undefined, "type"],
])("refuses %j", (text, rule) => {
  expect(fromBase64(text, 100)).toMatchObject({ ok: false, problem: { rule } });
});
