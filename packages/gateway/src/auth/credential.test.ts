import { expect, test } from "vitest";
import { headWith } from "../../test/support/head.ts";
import { readCredential } from "./credential.ts";

test.each([
  [{ authorization: "Bearer abc" }, "abc"],
  [{ authorization: "bearer  abc " }, "abc"],
  [{ "x-api-key": "abc" }, "abc"],
  [{ authorization: "Bearer abc", "x-api-key": "abc" }, "abc"],
  [{ authorization: "Bearer abc", "x-api-key": "abd" }, undefined],
  [{ authorization: "Basic abc", "x-api-key": "abc" }, undefined],
  [{ authorization: "Bearer a b" }, undefined],
  [{ authorization: "Bearer" }, undefined],
  [{ authorization: "" }, undefined],
  [{ "x-api-key": "" }, undefined],
  [{ "x-api-key": "a, b" }, undefined],
  [{ authorization: `Bearer ${"a".repeat(8_193)}` }, undefined],
  [{}, undefined],
])("%j", (headers: Readonly<Record<string, string>>, credential) => {
  expect(readCredential(headWith(headers))).toBe(credential);
});
