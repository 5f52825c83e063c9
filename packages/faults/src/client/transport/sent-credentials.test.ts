import { expect, it } from "vitest";
import { rememberCredentials } from "./sent-credentials.ts";

it("finds the credentials of headers and of the address, also their parts", () => {
  const sent = rememberCredentials();
  expect(sent.filter()).toBeUndefined();
  sent.add("http://127.0.0.1/mcp?api_key=query-key-123456&page=next-page-9", {
    authorization: "Bearer bearer-value-1",
    "x-plain": "not-a-credential",
  });
  const filter = sent.filter();
  expect(filter?.has("the token bearer-value-1 is old")).toBe(true);
  expect(filter?.has("query-key-123456")).toBe(true);
  expect(filter?.has("not-a-credential next-page-9")).toBe(false);
});

it("remembers the last eight", () => {
  const sent = rememberCredentials();
  for (let n = 0; n < 9; n++) sent.add("http://127.0.0.1/", { authorization: `token-value-${n}-x` });
  expect(sent.filter()?.has("token-value-0-x")).toBe(false);
  expect(sent.filter()?.has("token-value-1-x")).toBe(true);
  expect(sent.filter()?.has("token-value-8-x")).toBe(true);
});
