import { describe, expect, it } from "vitest";
import { type FaultMembers, packFault } from "./fault.ts";
import { faultSchema } from "./schema.ts";

const REQUIRED: FaultMembers = {
  basis: "stated",
  origin: { layer: "server" },
  effect: "none",
  recourse: [{ do: "stop" }],
  message: "It failed.",
  reason: "test/failed",
  class: "terminal",
  kind: "internal",
  v: 1,
};
const ALL: FaultMembers = {
  cause: packFault(REQUIRED),
  docs: "/docs",
  trace: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  at: "2026-11-14T09:30:00Z",
  requestId: "req_4bf92f3577b34da6",
  incident: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
  tried: { attempts: 1, elapsedMs: 1, stopped: "final" },
  limits: [{ quota: 1 }],
  issues: [{ pointer: "", rule: "custom" }],
  retry: { allowed: false },
  quote: { text: "It broke.", from: "peer" },
  params: { a: 1 },
  ...REQUIRED,
};

describe("packFault", () => {
  it("keeps every member, always in the order of the schema", () => {
    const fault = packFault(ALL);
    expect(fault).toEqual(ALL);
    expect(Object.keys(fault)).toEqual(Object.keys(faultSchema["properties"] as object));
  });

  it("leaves out members that are undefined, and freezes the rest", () => {
    const fault = packFault({ ...REQUIRED, quote: undefined, cause: undefined });
    const required = ["v", "kind", "class", "reason", "message", "recourse", "effect", "origin", "basis"];
    expect(Object.keys(fault)).toEqual(required);
    expect(required.filter((name) => name !== "recourse")).toEqual(faultSchema["required"]);
    expect(Object.isFrozen(fault)).toBe(true);
  });
});
