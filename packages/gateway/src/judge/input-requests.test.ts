import { describe, expect, it } from "vitest";
import { fromFlags } from "../call/abilities.ts";
import { findInputRequests, takesInput } from "./input-requests.ts";

const FORM = { method: "elicitation/create", params: { message: "Hi" } };
const ROOTS = { method: "roots/list" };

describe("a result that asks for input can be given to a caller", () => {
  const older = { revision: "2025-11-25", abilities: fromFlags("fr"), origin: { canAsk: true } } as const;
  it.each([
    ["of the newer era", { ...older, revision: "2026-07-28", origin: {} }, { one: { method: "other" } }, true],
    ["that can answer all of it", older, { one: FORM, two: ROOTS }, true],
    ["that can answer a part of it", older, { one: FORM, two: { method: "sampling/createMessage" } }, false],
    ["that reads no streams", { ...older, origin: { canAsk: false } }, { one: FORM }, false],
    ["but not where it is none", older, { one: "form" }, false],
    ["but not where its params are none", older, { one: { method: "roots/list", params: [] } }, false],
    [
      "but not where it asks too much",
      older,
      Object.fromEntries(Array.from({ length: 33 }, (_, at) => [at, FORM])),
      false,
    ],
  ] as const)("%s", (_, caller, inputRequests, takes) => {
    expect(takesInput(caller, { resultType: "input_required", inputRequests })).toBe(takes);
  });
});

it.each([
  [{ requestState: "s" }, true],
  [{ requestState: "s", inputRequests: {} }, true],
  [{ inputRequests: {} }, false],
  [{ requestState: 7 }, false],
])("a result that only wants to be asked again is good for any caller: %o", (result, takes) => {
  expect(takesInput({ revision: "2025-11-25", abilities: fromFlags(""), origin: {} }, result)).toBe(takes);
});

describe("the questions of a response", () => {
  const find = (result: string) => findInputRequests(Buffer.from(` {"jsonrpc":"2.0","id":1,"result":${result}}`));

  it("are found as they were written", () => {
    const form = '{"params":{"message":"a","n":1e400},"method":"elicitation\\/create"}';
    const found = find(
      `{"inputRequests":{"o\\u006ee":${form},"__proto__":{"method":"roots/list"}},"requestState":"é\\""}`,
    );
    expect(found?.state).toBe('é"');
    expect(found?.requests.map(({ params, ...rest }) => ({ ...rest, params: params?.toString() }))).toEqual([
      { name: "one", method: "elicitation/create", params: '{"message":"a","n":1e400}' },
      { name: "__proto__", method: "roots/list", params: undefined },
    ]);
  });

  it.each([
    '{"inputRequests":{"a":{"method":"roots/list"},"\\u0061":{"method":"roots/list"}}}',
    '{"inputRequests":{"a":{"method":"roots/list","method":"x"}}}',
    '{"inputRequests":{},"inputRequests":{"a":{"method":"roots/list"}}}',
    '{"inputRequests":{"a":7}}',
    '{"inputRequests":7,"requestState":"x"}',
    "7",
  ])("are not read where they can be read in two ways: %s", (result) => {
    expect(find(result)).toBeUndefined();
  });
});

it("keeps the state of an upstream, however long it is", () => {
  const long = "s".repeat(1_000_000);
  const found = findInputRequests(Buffer.from(`{"result":{"requestState":"${long}"}}`));
  expect(found?.state === long).toBe(true);
});
