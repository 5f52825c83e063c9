import { expect, test } from "vitest";
import { matchRoute } from "./match.ts";

const match = (method: string, path: string) => matchRoute(method, new URL(path, "http://server"));

test.each([
  ["GET", "/v1/ping", "ping", {}, false],
  ["HEAD", "/v1/ping", "ping", {}, false],
  ["GET", "/v1/gtin/123/resolve?link_type=gs1:pip", "resolve_gtin", { gtin: "123", link_type: "gs1:pip" }, false],
  ["GET", "/v1/gtin/a%2Fb/product?gtin=other", "lookup_product", { gtin: "a/b" }, false],
  ["GET", "/v1/gtin/%zz/validate", "validate_gtin", { gtin: "%zz" }, true],
  ["GET", "/v1/gtin//validate", "validate_gtin", { gtin: "" }, false],
  ["PUT", "/v1/gtin/1/claim", "claim_gtin", { gtin: "1" }, false],
])("%s %s", (method, path, name, input, isBroken) => {
  expect(match(method, path)).toMatchObject({ route: { operation: { name } }, input, isBroken });
});

test("an unknown path and an unknown method", () => {
  expect(match("GET", "/v1/gtin/1")).toEqual({ none: "path" });
  expect(match("GET", "/v1/gtin/1/resolve/2")).toEqual({ none: "path" });
  expect(match("POST", "/v1/gtin/1/resolve")).toEqual({ none: "method", allowed: ["GET"] });
});
