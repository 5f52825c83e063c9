import { expect, test } from "vitest";
import { checkHeader } from "./edge.ts";

const request = (headers: Record<string, string>) => new Request("http://server/mcp", { headers });

test.each([
  ["Bearer pl_key_x", true],
  ["Bearer pl_key_", true],
  ["Bearer abc", false],
  ["bearer pl_key_x", true],
  ["Basic pl_key_x", false],
  ["pl_key_x", false],
])("the header %j", (authorization, ok) => {
  expect(checkHeader(request({ authorization }))).toEqual({ ok });
});
