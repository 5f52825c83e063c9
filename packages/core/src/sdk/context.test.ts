import { describe, expect, it } from "vitest";
import { credentialFilter, isShared, withSignal } from "./context.ts";

const { signal } = new AbortController();
const meta = { "recourse/call": { key: "order-7", deadlineMs: 900 } };

describe("the context of a request", () => {
  it("keeps its members when it is spread, as the SDK does it to add to a context", () => {
    const changed = withSignal({ mcpReq: { signal, _meta: meta }, http: {} }, signal) as { mcpReq: object };
    const spread = { ...changed, mcpReq: { ...changed.mcpReq } };
    expect(spread).toEqual({ mcpReq: { signal, _meta: meta }, http: {} });
    expect({ ...(withSignal({ signal, sessionId: "s" }, signal) as object) }).toEqual({ signal, sessionId: "s" });
  });
});

describe("a server that others may use too", () => {
  it.each([
    [false, undefined],
    [false, {}],
    [false, { mcpReq: { signal }, http: undefined, sessionId: undefined }],
    [false, { signal, requestInfo: undefined }],
    [true, { mcpReq: { signal }, http: { req: new Request("http://a.example") } }],
    [true, { signal, requestInfo: { headers: {} } }],
    [true, { signal, sessionId: "s" }],
  ])("is %s for %j", (shared, context) => {
    expect(isShared(context)).toBe(shared);
  });
});

it("finds a credential whole and in parts, and ignores parts that are ordinary words", () => {
  const filter = credentialFilter(["Bearer secret-token-1", "a=short; sid=session-of-ann"]);
  expect(filter?.has("got secret-token-1")).toBe(true);
  expect(filter?.has("session-of-ann is gone")).toBe(true);
  expect(filter?.has("Bearer tokens are short")).toBe(false);
  expect(credentialFilter([])).toBeUndefined();
});

it("finds the password of a Basic credential, also in an address", () => {
  const filter = credentialFilter([`Basic ${btoa("ann:correct horse")}`]);
  expect(filter?.has("correct horse")).toBe(true);
  expect(filter?.has("correct%20horse")).toBe(true);
});
