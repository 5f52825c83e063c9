import {
  type AnyClient,
  type AnyServer,
  connectPair,
  ERAS,
  type Era,
  type SdkPair,
} from "@recourse/test-kit/sdk-pairs";
import { findLeaks } from "@recourse/testing";
import { afterEach, describe, expect, it, test } from "vitest";
import * as z from "zod";
import type { Incident } from "../incidents/incident.ts";
import { defineReasons, type Fault, readFault, slot } from "../index.ts";
import { fail } from "../reasons/fail.ts";
import { FAULT_KEY } from "../wire/names.ts";
import { guardTool } from "./guard.ts";
import { guard, guardStats, isGuarded } from "./index.ts";
import type { GuardOptions } from "./options.ts";

const SECRET = "postgres://app:hunter2@10.0.0.5/shop";
const shop = defineReasons("shop", {
  no_rule: {
    kind: "not_found",
    text: "No rule resolves {gtin}.",
    slots: { gtin: slot.pattern(/^\d{8,14}$/, { bare: true }) },
  },
});

/** One server with every way to fail; the first half is registered before the guard, the second after it. */
function build(options: GuardOptions) {
  return (server: AnyServer): AnyServer => {
    const tool = (name: string, run: (...args: never[]) => unknown, config: object = {}) =>
      server.registerTool(name, { description: name, inputSchema: z.object({}), ...config }, run);
    tool("fine", () => ({ content: [{ type: "text", text: "fine" }] }));
    tool("throws", () => {
      throw new TypeError(SECRET);
    });
    tool(
      "reads",
      () => {
        throw new TypeError(SECRET);
      },
      { annotations: { readOnlyHint: true } },
    );
    tool("throws_null", () => {
      throw null;
    });
    tool("reason", () => {
      throw shop.no_rule({ gtin: "00614141123452" });
    });
    tool("hidden", () => ({ content: [] })).disable();
    server.registerResource("r", "res://throws", {}, () => {
      throw Object.assign(new Error(SECRET), { code: 1045, data: { sql: SECRET } });
    });
    guard(server, { sink: () => {}, ...options });
    tool("late_throws", () => {
      throw SECRET;
    });
    tool("bigint", () => ({ content: [{ type: "text", text: "x" }], structuredContent: { n: 1n } }));
    tool("never", () => new Promise(() => {}));
    tool("excuse", () => ({ content: [{ type: "text", text: '{"success":false}' }] }));
    tool("adds", ({ n }: { n: number }) => ({ content: [{ type: "text", text: String(n + 1) }] }), {
      inputSchema: z.object({ n: z.number().int().min(1), colour: z.enum(["red", "green"]).optional() }),
    });
    tool("refines", () => ({ content: [] }), {
      inputSchema: z.object({
        n: z.number().refine(() => {
          throw new TypeError(SECRET);
        }),
      }),
    });
    tool("off_schema", () => ({ content: [], structuredContent: { n: SECRET } }), {
      outputSchema: z.object({ n: z.number() }),
    });
    server.registerResource("null", "res://null", {}, () => {
      throw null;
    });
    server.registerPrompt("p", {}, () => {
      throw new Error(SECRET);
    });
    return server;
  };
}

let pair: SdkPair | undefined;
afterEach(async () => {
  await pair?.close();
  pair = undefined;
});

async function connect(era: Era, options: GuardOptions = {}): Promise<AnyClient> {
  pair = await connectPair(era, build(options));
  return pair.client;
}

/** What came back, with the fault that a client can read from it. */
async function outcome(answer: Promise<unknown>): Promise<{ wire: unknown; fault: Fault | undefined; code?: number }> {
  try {
    const result = (await answer) as { _meta?: Record<string, unknown> };
    return { wire: result, fault: readFault(result._meta?.["recourse/fault"]) };
  } catch (error) {
    const { code, data, message } = error as { code: number; data?: Record<string, unknown>; message: string };
    return { wire: { code, data, message }, fault: readFault(data?.["recourse/fault"]), code };
  }
}

describe.each(ERAS)("%s", (era) => {
  const call = async (name: string, args: Record<string, unknown> = {}, options: GuardOptions = {}) =>
    outcome((await connect(era, options)).callTool({ name, arguments: args }));

  test.each(["throws", "throws_null", "late_throws", "refines", "off_schema"])(
    "%s: nothing foreign leaves",
    async (name) => {
      const { wire, fault } = await call(name, name === "refines" ? { n: 1 } : {});
      expect(findLeaks(wire, [SECRET, "hunter2"])).toEqual([]);
      expect(fault?.kind).toBe("internal");
      expect(wire).toMatchObject({ isError: true, content: [{ type: "text" }] });
    },
  );

  test("unknown and disabled tools answer alike, with what is near", async () => {
    const unknown = await call("reasom");
    expect(unknown).toMatchObject({ code: -32602, fault: { reason: "tool/not_found" } });
    expect(unknown.fault?.recourse[0]).toEqual({ do: "choose_another", candidates: ["reason"] });
    await pair?.close();
    for (const name of ["hidden", "constructor"]) {
      expect(await call(name)).toMatchObject({ code: -32602, fault: { reason: "tool/not_found" } });
      await pair?.close();
    }
  });

  test("wrong arguments are listed, without what was sent", async () => {
    const { wire, fault } = await call("adds", { n: "hunter2-hunter2", colour: "gren" });
    expect(fault).toMatchObject({ kind: "invalid_input", reason: "tool/invalid_arguments" });
    expect(fault?.issues?.map((issue) => [issue.pointer, issue.rule])).toEqual([
      ["/n", "type"],
      ["/colour", "choice"],
    ]);
    expect(JSON.stringify(wire)).not.toContain("hunter2");
    expect(wire).toMatchObject({ isError: true });
  });

  test("a tool that never ends is answered in time", async () => {
    expect((await call("never", {}, { deadlineMs: 40 })).fault).toMatchObject({
      kind: "timeout",
      reason: "tool/timeout",
    });
  });

  test("the operator hears of what is not the caller's doing, with the cause", async () => {
    const incidents: Incident[] = [];
    const sink = (incident: Incident) => void incidents.push(incident);
    const { fault } = await call("throws", {}, { sink });
    await pair?.close();
    await call("reason", {}, { sink });
    expect(incidents).toHaveLength(1);
    expect(incidents[0]).toMatchObject({
      method: "tools/call",
      tool: "throws",
      cause: expect.objectContaining({ message: SECRET }),
    });
    expect(incidents[0]?.fault.incident).toBe(fault?.incident);
    expect(fault?.incident).toMatch(/^[0-9A-Z]{26}$/);
  });

  test("a failure in disguise is reported, and by choice answered as one", async () => {
    const incidents: Incident[] = [];
    const sink = (incident: Incident) => void incidents.push(incident);
    expect((await call("excuse", {}, { sink })).wire).not.toMatchObject({ isError: true });
    expect(incidents).toHaveLength(1);
    await pair?.close();
    expect((await call("excuse", {}, { looksFailed: { answer: "fail" } })).wire).toMatchObject({ isError: true });
  });
});

test("a server without the seam is refused at the start", () => {
  expect(() => guard({})).toThrow(/validateToolInput/);
});

test("guarding twice changes nothing, and counts are kept", async () => {
  let server: object = {};
  pair = await connectPair("v2 modern", (made) => {
    server = guard(guard(build({})(made)));
    return made;
  });
  await pair.client.callTool({ name: "excuse", arguments: {} });
  expect(guardStats(server)).toEqual({ looksFailed: 1, late: 0 });
  expect([isGuarded(server), isGuarded({})]).toEqual([true, false]);
  expect(guardStats({})).toEqual({ late: 0, looksFailed: 0 });
});

const incidents: Incident[] = [];
const options = {
  sink: (incident: Incident) => incidents.push(incident),
  testing: { clock: { now: () => 0, monotonic: () => 0 } },
};

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
    const cause = new TypeError("connect ECONNREFUSED postgres://app:hunter2@10.0.0.5");
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
      expect(leaked).toMatchObject({ isError: true, _meta: { [FAULT_KEY]: { reason: "tool/failed" } } });
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
