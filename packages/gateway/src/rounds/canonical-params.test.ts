import { expect, it } from "vitest";
import { spans } from "../edge/spans.ts";
import { canonicalParams } from "./canonical-params.ts";

function canonical(method: string, params: string): string {
  const bytes = Buffer.from(`{"method":"${method}","params":${params}}`);
  const found = spans(bytes, JSON.parse(bytes.toString()));
  if (typeof found === "string") throw new Error(found);
  return canonicalParams({ method, id: 1, params: {}, meta: undefined, bytes, spans: found });
}

it.each([
  ["tools/call", '{"name":"a"}', '{"arguments":{},"name":"a"}'],
  [
    "tools/call",
    '{ "x":1,"name" : "\\u0061","arguments":{"n":1e400,"b": 1} }',
    '{"arguments":{"b":1,"n":1e400},"name":"a"}',
  ],
  ["tools/call", '{"name":"a","_meta":{},"inputResponses":{},"requestState":""}', '{"arguments":{},"name":"a"}'],
  ["prompts/get", '{"name":"a"}', '{"name":"a"}'],
  ["resources/read", '{"uri":"a:b","arguments":{}}', '{"uri":"a:b"}'],
  ["completion/complete", '{"ref":{"type":"x"},"argument":{}}', '{"argument":{},"ref":{"type":"x"}}'],
])("%s %s", (method, params, text) => {
  expect(canonical(method, params)).toBe(text);
});
