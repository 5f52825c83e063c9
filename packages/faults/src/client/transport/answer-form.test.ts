import { expect, test } from "vitest";
import { formOf } from "./exchange.ts";

test.each([
  [200, "application/json", "json"],
  [200, "Application/JSON; charset=utf-8", "json"],
  [200, "text/event-stream", "stream"],
  [202, "application/json", "accepted"],
  [200, "text/html", "refusal"],
  [200, "application/json-seq", "refusal"],
  [200, "constructor", "refusal"],
  [200, undefined, "refusal"],
  [308, "text/html", "redirect"],
  [400, "application/json", "refusal"],
  [503, "text/event-stream", "refusal"],
] as const)("%i with %s is %s", (status, type, form) => {
  const headers = new Headers(type === undefined ? {} : { "content-type": type });
  expect(formOf(new Response(null, { status, headers }))).toBe(form);
});
