import { expect, it } from "vitest";
import { joinUrl, parseServerUrl } from "./url.ts";

it.each([
  ["https://api.example/v1", "https://api.example/v1"],
  ["http://127.0.0.1:8080", "http://127.0.0.1:8080/"],
])("accepts %s", (text, href) => {
  const server = parseServerUrl(text);
  expect(server.ok && server.url.href).toBe(href);
});

it.each([
  ["/v1", "not_absolute"],
  ["api.example", "not_absolute"],
  ["file:///etc/passwd", "scheme"],
  ["javascript:alert(1)", "scheme"],
  ["https://user:pw@api.example", "credentials"],
  ["https://api.example/?a=b", "query"],
  ["https://api.example/#a", "query"],
])("refuses %s: %s", (text, code) => {
  expect(parseServerUrl(text)).toEqual({ ok: false, code });
});

it("joins below the base", () => {
  const join = (server: string, segments: readonly string[], query = "") =>
    joinUrl(new URL(server), segments, query)?.href;
  expect(join("https://a.example/v1/", ["b", "c"], "d=1")).toBe("https://a.example/v1/b/c?d=1");
  expect(join("https://a.example", ["version", ""])).toBe("https://a.example/version/");
});

it("notices when the parser of URLs disagrees", () => {
  const server = new URL("https://a.example/v1");
  for (const segment of ["..", "%2e", "a\\b", "a?b", "a#b", "a\nb", "ü"])
    expect(joinUrl(server, [segment], "")).toBeUndefined();
  expect(joinUrl(server, ["a"], "b=c#d")).toBeUndefined();
});
