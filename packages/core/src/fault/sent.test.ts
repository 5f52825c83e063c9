import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as any from "../../test/arbitraries.ts";
import { mcp } from "../dialects/mcp/dialect.ts";
import { fail } from "../index.ts";
import { auth, core, rest, tool } from "../reasons/index.ts";
import { stampFault, toSentFault } from "./amend.ts";
import type { Fault } from "./fault.ts";
import { readFault, readOwnFault } from "./read.ts";

const onWire = (fault: Fault): unknown => JSON.parse(JSON.stringify(toSentFault(fault)));

describe("a fault on the wire", () => {
  it("loses nothing", () => {
    fc.assert(
      fc.property(any.fault, (fault) => {
        expect(readOwnFault(onWire(fault))).toEqual(fault);
        expect(readFault(onWire(fault))).toEqual(readFault(JSON.parse(JSON.stringify(fault))));
      }),
      { numRuns: runs(300) },
    );
  }, 120_000);

  it("has the moves only where they do not follow from the rest", () => {
    const { fault } = core.not_found();
    expect(fault.recourse).toEqual([{ do: "choose_another" }]);
    expect(onWire(fault)).not.toHaveProperty("recourse");
    const chosen = core.not_found({}, { recourse: [{ do: "do_first", tool: "list_orders" }] }).fault;
    expect(onWire(chosen)).toHaveProperty("recourse", [{ do: "do_first", tool: "list_orders" }]);
  });

  it("has the wait of a contract, which stands in no other member", () => {
    const { fault } = core.overloaded({}, { afterMs: 5_000 });
    expect(onWire(fault)).toHaveProperty("recourse", [{ do: "retry", afterMs: 5_000 }]);
    const stated = core.overloaded({}, { retry: { allowed: true, afterMs: 5_000 } }).fault;
    expect(onWire(stated)).not.toHaveProperty("recourse");
  });

  it("has the retry of a call that is safe to repeat, which a reader does not know", () => {
    const { fault } = core.timeout({}, { repeatable: true });
    expect(onWire(fault)).toMatchObject({ effect: "possible", recourse: [{ do: "retry" }] });
  });

  it("leaves out the moves of its causes too", () => {
    const cause = core.unavailable({}, { cause: core.conflict.fault() }).fault;
    expect(JSON.stringify(onWire(core.upstream_failed({}, { cause }).fault))).not.toContain('"recourse"');
  });
});

/** What servers answer most often, and whether an operator has a record of it. */
const COMMON: readonly (readonly [name: string, fault: Fault, hasIncident: boolean])[] = [
  ["something is not there", fail.not_found`There is no order ${9}.`.fault, false],
  ["a conflict", fail.conflict`Order ${8} is shipped already.`.fault, false],
  ["something is missing first", fail.precondition_failed`Sign the contract first.`.fault, false],
  ["no credentials", auth.unauthorized.fault(), false],
  ["no permission", auth.access_denied.fault(), false],
  ["a rate limit", core.rate_limited.fault({}, { retry: { allowed: true, afterMs: 30_000 } }), false],
  ["a time-out", tool.timeout.fault({ tool: "cancel_order", timeoutMs: 30_000 }), true],
  ["a service that cannot be reached", core.unavailable.fault(), true],
  ["a failure of a service", rest.upstream_failed.fault(), true],
  ["an accident", tool.execution_failed.fault({ tool: "cancel_order" }), true],
];

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

describe("the size of a failure", () => {
  const sent = (fault: Fault, hasIncident: boolean) => {
    const stamped = stampFault(fault, {
      at: "2026-11-19T10:12:23.000Z",
      origin: { layer: "server", name: "orders" },
      trace: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      ...(hasIncident && { incident: "01M7FGZ4G2MC3N19JYCNTAKZRP" }),
    });
    const wire = mcp.encode(stamped, { method: "tools/call" }) as { result: { _meta: Record<string, unknown> } };
    return { result: wire.result, fault: wire.result._meta["recourse/fault"] };
  };

  it.each(COMMON)(
    "%s: at most 450 bytes of fault, and 750 with the text for the model",
    (_name, fault, hasIncident) => {
      const wire = sent(fault, hasIncident);
      expect(bytes(wire.fault)).toBeLessThanOrEqual(450);
      expect(bytes(wire.result)).toBeLessThanOrEqual(750);
    },
  );

  it("is that of these members", () => {
    expect(JSON.stringify(sent(fail.not_found`There is no order ${9}.`.fault, false).result)).toBe(
      '{"resultType":"complete","content":[{"type":"text","text":"There is no order 9. Call again with a different name or id."}],' +
        '"isError":true,"_meta":{"recourse/fault":{"v":1,"kind":"not_found","class":"terminal","reason":"adhoc/not_found",' +
        '"message":"There is no order 9.","params":{"p1":9},"effect":"none","origin":{"layer":"server","name":"orders"},"basis":"stated",' +
        '"at":"2026-11-19T10:12:23.000Z","trace":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}}',
    );
  });
});
