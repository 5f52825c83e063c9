import { expect, it } from "vitest";
import { foundUnderLayers } from "./layer-search.ts";
import { StringSearch } from "./string-search.ts";

const search = new StringSearch();
search.add("hunter2-horse!");
const isFound = (text: string) => foundUnderLayers([search], text);

const base64 = (text: string) => Buffer.from(text).toString("base64");
const hex = (text: string) => Buffer.from(text).toString("hex");

it.each([
  ["as it is", "got hunter2-horse! here"],
  ["in percent escapes", "q=hunter2%2Dhorse%21&x"],
  ["in backslash escapes", "hunter2\\u002dhorse!"],
  ["in HTML escapes", "hunter2&#45;horse!"],
  ["in base64", "Basic aHVudGVyMi1ob3JzZSE="],
  ["in hex", "68756e746572322d686f72736521"],
  ["with invisible characters", "hunter\u200b2-horse!"],
  ["with compatibility characters", "ｈunter2-horse!"],
  ["with a null beside each character", "h\0u\0n\0t\0e\0r\x002\0-\0h\0o\0r\0s\0e\0!\0"],
  ["on two lines", "hunter2-\r\n\t horse!"],
  ["in base64 on two lines", "aHVudGVy\n  Mi1ob3JzZSE="],
  ["in base64 of percent escapes", base64("hunter2%2Dhorse!")],
  ["in percent escapes of base64", base64("hunter2-horse!").replace("=", "%3D").replace("M", "%4D")],
  ["in hex of base64", hex(base64("hunter2-horse!"))],
  ["in base64 of hex", base64(hex("hunter2-horse!"))],
  ["in HTML escapes of backslash escapes", "hunter2&#92;u002dhorse!"],
  ["in an escape before an accent", "hunter2-horse%21\u0301"],
])("finds a string %s", (_how, text) => {
  expect(isFound(text)).toBe(true);
});

it.each([
  ["", ""],
  ["another text", "The order was not found"],
  ["another text in base64", base64("another text of some length")],
  ["another text with compatibility characters", "Ｏrder was not found"],
  ["another text on two lines", "The order\nwas not found"],
  ["a part of it", "hunter2%2Dhors"],
  ["words between the lines", "hunter2-\nand horse!"],
  ["more space than a line is indented by", `hunter2-\n${" ".repeat(17)}horse!`],
  ["three layers", base64(base64(base64("hunter2-horse!")))],
])("does not find it in %s", (_what, text) => {
  expect(isFound(text)).toBe(false);
});
