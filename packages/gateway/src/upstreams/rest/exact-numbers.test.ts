import { expect, test } from "vitest";
import { parseExactly } from "./exact-numbers.ts";

test.each([
  ["0", "-0", "1.10", "1e2", "1E+05", "0.1", "123456789012345", "9007199254740991"],
  ["1e22", "10000000000000000000000", "9007199254740992", "1.7976931348623157e308", "5e-324", "0.30000000000000004"],
  ["0.00000000000000000000", "00".slice(1), "1.000000000000000000000", "0e999", "100000000000000000000000e-23"],
])("keeps numbers that a parser keeps: %s", (...numbers) => {
  for (const number of numbers) expect(parseExactly(`{"n":${number}}`).changed, number).toEqual([]);
});

test.each([
  "12345678901234567890",
  "-9007199254740993",
  "1e400",
  "-1e400",
  "1e-400",
  "0.1000000000000000055511151231257827",
  "3.14159265358979323846",
  "123456789.123456789123",
])("finds %s", (number) => {
  expect(parseExactly(`{"n":${number}}`).changed).toEqual(["/n"]);
});

test("names the place of each number, and leaves strings alone", () => {
  const text = '{"a":[1,{"b/c":1e999}],"id":"12345678901234567890","d":12345678901234567890,"e":7}';
  const { value, changed } = parseExactly(text);
  expect(changed).toEqual(["/a/1/b~1c", "/d"]);
  expect(value).toEqual(JSON.parse(text));
});
