import { expect, it } from "vitest";
import { withMetaMember } from "./meta-member.ts";

const put = (text: string, start = 0) => withMetaMember(Buffer.from(text), start, { "recourse/a": null }).toString();

it.each([
  ["{}", '{"_meta":{"recourse/a":null}}'],
  ['{ "n": 1e400 }', '{ "_meta":{"recourse/a":null},"n": 1e400 }'],
  ['{"n":1,"_meta":{}}', '{"n":1,"_meta":{"recourse/a":null}}'],
  ['{"_meta":{"b":{"c":1}},"n":1}', '{"_meta":{"recourse/a":null,"b":{"c":1}},"n":1}'],
  ['{"_meta":{"recourse/a":"x","b":1}}', '{"_meta":{"recourse/a":null,"b":1}}'],
  ['{"_meta":7}', '{"_meta":{"recourse/a":null}}'],
])("writes %s as %s", (before, after) => {
  expect(put(before)).toBe(after);
});

it("leaves what stands around the object", () => {
  expect(put('{"result":{"n":1},"id":7}', 10)).toBe('{"result":{"_meta":{"recourse/a":null},"n":1},"id":7}');
});
