// The API of OpenTelemetry is not a dependency: a hand-made object of its shape stands in for it here.

import { describe, expect, it } from "vitest";
import { insufficient_scope } from "../reasons/library/auth.ts";
import { internal, validation_failed } from "../reasons/library/core.ts";
import { not_found } from "../reasons/library/resource.ts";
import { type OtelApi, otelSink } from "./otel.ts";

type Recorded = [string, ...unknown[]];
function observed(): { api: OtelApi; calls: Recorded[] } {
  const calls: Recorded[] = [];
  const span = {
    setAttributes: (attributes: object) => calls.push(["attributes", attributes]),
    setStatus: (status: object) => calls.push(["status", status]),
    addEvent: (name: string, attributes?: object) => calls.push(["event", name, attributes]),
  };
  return { api: { trace: { getActiveSpan: () => span } }, calls };
}
const at = "2026-01-02T03:04:05.000Z";
const statusOf = (calls: readonly Recorded[]) => calls.find(([name]) => name === "status")?.[1];

describe("otelSink", () => {
  it("writes attributes, one event and the status of a failure", () => {
    const { api, calls } = observed();
    const cause = new Error("private");
    const fault = internal.fault();
    otelSink(api)({ fault, method: "resources/read", code: -32603, at, cause });
    const attributes = {
      "error.type": "-32603",
      "mcp.method.name": "resources/read",
      "rpc.response.status_code": "-32603",
      "fault.kind": "internal",
      "fault.class": "terminal",
      "fault.reason": "core/internal",
      "fault.effect": "possible",
      "fault.origin": "server",
    };
    expect(calls).toEqual([
      ["attributes", attributes],
      ["event", "fault", attributes],
      ["status", { code: 2, message: "The call failed because of an internal error." }],
    ]);
  });

  it.each([
    [validation_failed.fault(), -32602],
    [insufficient_scope.fault(), -32603],
    [not_found.fault(), -32602],
  ])("leaves the status of a server's span unset for a mistake of the caller", (fault, code) => {
    const { api, calls } = observed();
    otelSink(api)({ fault, at, code });
    expect(calls[0]?.[1]).toMatchObject({ "error.type": String(code) });
    expect(statusOf(calls)).toBeUndefined();
  });

  it("sets it on the span of a client, and for a failed result everywhere", () => {
    const client = observed();
    otelSink(client.api, { side: "client" })({ fault: validation_failed.fault(), at, code: -32602 });
    expect(statusOf(client.calls)).toEqual({ code: 2, message: "The arguments are wrong." });
    const result = observed();
    otelSink(result.api)({ fault: validation_failed.fault(), at, isError: true, method: "tools/call", tool: "add" });
    expect(statusOf(result.calls)).toEqual({ code: 2, message: "The arguments are wrong." });
    expect(result.calls[0]?.[1]).toMatchObject({ "error.type": "tool_error", "gen_ai.tool.name": "add" });
  });

  it("does nothing without a span, and never throws", () => {
    otelSink({ trace: { getActiveSpan: () => undefined } })({ fault: internal.fault(), at });
    const thrower = () => {
      throw new Error("no");
    };
    otelSink({ trace: { getActiveSpan: thrower } })({ fault: internal.fault(), at });
    otelSink({ trace: { getActiveSpan: () => ({ setAttributes: thrower, setStatus: thrower, addEvent: thrower }) } })({
      fault: internal.fault(),
      at,
    });
    otelSink(undefined as never)({ fault: internal.fault(), at });
    otelSink(observed().api)(undefined as never);
  });
});
