import { expect, it } from "vitest";
import { compileUriTemplate } from "./uri-template.ts";

it.each([
  ["test://item/{id}/data", "test://item/7/data", true],
  ["test://item/{id}/data", "test://item/7", false],
  ["file:///{+path}", "file:///a/b/c.txt", true],
  ["file:///fixed", "file:///fixed", true],
  ["file:///fixed", "file:///fixed2", false],
  ["db://{table}/{row}{?fields*}", "db://users/1?fields=a", true],
  ["db://{table}/{row}", "db://users", false],
  ["glob://*/{id}", "glob://*/1", true],
  ["glob://*/{id}", "glob://x/1", false],
])("%s on %s: %s", (template, uri, expected) => {
  expect(compileUriTemplate(template)(uri)).toBe(expected);
});

it("stays fast for templates with many expressions and long URIs", () => {
  const test = compileUriTemplate(`x://${"{a}b".repeat(200)}!`);
  const started = performance.now();
  expect(test(`x://${"b".repeat(200_000)}`)).toBe(false);
  expect(performance.now() - started).toBeLessThan(2_000);
});
