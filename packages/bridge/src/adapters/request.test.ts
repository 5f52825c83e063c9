import { describe, expect, it } from "vitest";
import { readRequest } from "./request.ts";

const { signal } = new AbortController();
const meta = { "recourse/call": { key: "order-7", deadlineMs: 900 } };

describe("readRequest", () => {
  it.each([
    ["version 2", { mcpReq: { signal, _meta: meta } }],
    ["version 1", { signal, _meta: meta }],
  ])("reads what %s of the SDK hands on", (_version, context) => {
    expect(readRequest(context)).toEqual({ signal, deadlineMs: 900, key: "order-7" });
  });

  it.each([
    undefined,
    null,
    "context",
    {},
    { mcpReq: null },
    { _meta: { "recourse/call": null } },
    { signal: {}, _meta: { "recourse/call": { key: "", deadlineMs: -1 } } },
    { _meta: { "recourse/call": { key: 7, deadlineMs: "900" } } },
    { _meta: { "recourse/call": { deadlineMs: Number.NaN } } },
  ])("finds nothing in %j", (context) => {
    expect(readRequest(context)).toEqual({ signal: undefined, deadlineMs: undefined, key: undefined });
  });
});
