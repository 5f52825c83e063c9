import { describe, expect, it } from "vitest";
import type { Incident } from "../incidents/incident.ts";
import { FAULT_KEY } from "../json/names.ts";
import { fail } from "../reasons/fail.ts";
import { guardTool } from "./guard-tool.ts";

const incidents: Incident[] = [];
const options = { sink: (incident: Incident) => incidents.push(incident), now: () => 0 };

describe("guardTool", () => {
  it("returns what the function returns, with all its arguments", async () => {
    const add = guardTool("add", (a: number, b: number) => a + b, options);
    expect(await add(1, 2)).toBe(3);
  });

  it("answers your own failures with their sentence and the fault", async () => {
    incidents.length = 0;
    const cancel = guardTool(
      "cancel_order",
      async ({ order }: { order: number }) => {
        throw fail.not_found`There is no order ${order}.`;
      },
      options,
    );
    const result = await cancel({ order: 9 });
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: "text", text: "There is no order 9. Call again with a different name or id." }],
      _meta: { [FAULT_KEY]: { kind: "not_found" } },
    });
    expect(result).not.toHaveProperty("resultType");
    expect(incidents).toEqual([]);
  });

  it("hides what was not written for callers, and reports it with the same id", async () => {
    incidents.length = 0;
    const cause = new Error("connect ECONNREFUSED postgres://app:hunter2@10.0.0.5");
    const broken = guardTool(
      "broken",
      () => {
        throw cause;
      },
      options,
    );
    const result = await broken();
    expect(JSON.stringify(result)).not.toMatch(/hunter2|ECONNREFUSED/);
    expect(incidents).toMatchObject([{ tool: "broken", method: "tools/call", cause, isError: true }]);
    const [{ fault }] = incidents as [Incident];
    expect(result).toMatchObject({ _meta: { [FAULT_KEY]: { incident: fault.incident, effect: "possible" } } });
  });

  it.each([
    ["has no effect when it throws", new Error("x"), "none"],
    ["has no effect when its author states none", fail.unavailable`The shop is closed.`, "none"],
    ["has the effect that its author states", fail.unavailable({ effect: "possible" })`It is closed.`, "possible"],
  ])("a tool that only reads %s", async (_what, thrown, effect) => {
    const read = () => Promise.reject(thrown);
    const reads = await guardTool("read", read, { ...options, annotations: { readOnlyHint: true } })();
    expect(reads).toMatchObject({ _meta: { [FAULT_KEY]: { effect } } });
    const writes = await guardTool("write", read, { ...options, annotations: { readOnlyHint: false } })();
    expect(writes).toMatchObject({ _meta: { [FAULT_KEY]: { effect: "possible" } } });
  });

  it("checks a failure that the function returns, like a guarded server", async () => {
    incidents.length = 0;
    const failing = (text: string) => ({ isError: true, content: [{ type: "text", text }] });
    const returns = (text: string, more = {}) =>
      guardTool("get", (_: object) => failing(text), { ...options, ...more });
    expect(await returns("No such order.")({})).toMatchObject({
      ...failing("No such order."),
      _meta: { [FAULT_KEY]: { reason: "tool/failed", kind: "unknown" } },
    });
    expect(await returns("No file /home/ada/a.txt.")({ file: "/home/ada/a.txt" })).toMatchObject(
      failing("No file /home/ada/a.txt."),
    );
    expect(incidents).toEqual([]);
    for (const more of [{}, { foreignText: "public" }, { foreignText: "quote" }, { foreignText: "hide" }]) {
      const leaked = await returns("connect ECONNREFUSED postgres://app:hunter2@10.0.0.5", more)({});
      expect(leaked).toMatchObject({ isError: true, _meta: { [FAULT_KEY]: { reason: "core/internal" } } });
      expect(JSON.stringify(leaked)).not.toMatch(/hunter2|ECONNREFUSED/);
    }
    expect(incidents).toHaveLength(4);
    expect(await returns("No such order.", { foreignText: "hide" })({})).not.toMatchObject(failing("No such order."));
  });

  it("never rejects, whatever is thrown and whatever the arguments are", async () => {
    const trap = () => {
      throw new Error("hostile");
    };
    const hostile = () => new Proxy({}, { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap });
    const { proxy: revoked, revoke } = Proxy.revocable({}, {});
    revoke();
    const values = [
      undefined,
      null,
      7n,
      Symbol("s"),
      hostile(),
      revoked,
      {
        get a() {
          return trap();
        },
      },
    ];
    for (const thrown of values) {
      for (const args of values) {
        const failing = guardTool(
          "__proto__",
          (_: unknown) => {
            throw thrown;
          },
          options,
        );
        expect(await failing(args)).toMatchObject({ isError: true, content: [{ type: "text" }] });
      }
    }
  });
});
