import { type Fault, fail, stampFault } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import { type Incident, loggerSink, stderrSink } from "@recourse/core/server";
import { expectCost } from "@recourse/test-kit/yardstick";
import { describe, expect, it } from "vitest";
import { incidentInText, incidentsInValue } from "./incidents.ts";

const ID = "01M7P3SK82NQKPZ0WYT6SH4YJZ";
const AT = "2026-11-18T01:19:30.050Z";

function stamped(fault: Fault): Fault {
  return stampFault(fault, { incident: ID, at: AT });
}

/** What the default sink of a guarded server writes. */
function writtenLines(incident: Partial<Incident> & Pick<Incident, "fault">): string[] {
  const written: string[] = [];
  stderrSink({ write: (text) => written.push(text) })({ at: AT, ...incident });
  return written.join("").trimEnd().split("\n");
}

describe("incidentInText", () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED 10.0.0.5:5432"), { code: "ECONNREFUSED", port: 5432 });

  it("reads what the default sink writes", () => {
    const fault = stamped(core.unavailable.fault({}));
    const lines = writtenLines({
      fault,
      method: "tools/call",
      tool: 'find "order"',
      durationMs: 7,
      code: -32603,
      cause: new Error("the query failed\nfor two reasons", { cause: refused }),
    });
    const read = incidentInText(lines);
    expect(read).toMatchObject({
      writer: "server",
      id: ID,
      kind: "unavailable",
      reason: "core/unavailable",
      at: AT,
      method: "tools/call",
      tool: 'find "order"',
      durationMs: 7,
      code: -32603,
      fault: { message: fault.message, effect: fault.effect, recourse: fault.recourse },
      causes: [
        { relation: "thrown", name: "Error", message: "the query failed\nfor two reasons" },
        { relation: "cause", name: "Error", message: refused.message, fields: { code: "ECONNREFUSED", port: "5432" } },
      ],
    });
    expect(read?.causes.map(({ frames }) => frames[0])).toEqual([
      expect.stringMatching(/^at /),
      expect.stringMatching(/^at /),
    ]);
  });

  it("reads members of an AggregateError, and thrown values that are no errors", () => {
    const fault = stamped(core.internal.fault({}));
    const many = incidentInText(
      writtenLines({ fault, cause: new AggregateError([refused, new TypeError("b")], "all") }),
    );
    expect(many?.causes.map(({ relation, name }) => [relation, name])).toEqual([
      ["thrown", "AggregateError"],
      ["member", "Error"],
      ["member", "TypeError"],
    ]);
    const thrown = incidentInText(writtenLines({ fault, cause: { status: 500 } }));
    expect(thrown?.causes).toMatchObject([{ name: "", message: 'thrown object: {"status":500}' }]);
  });

  it.each([
    ["a time", "2026-11-18T01:19:30.051Z "],
    ["docker compose", "orders-1  | "],
    ["Kubernetes", "2026-11-18T01:19:30.051123456Z stderr F "],
    ["syslog", "Nov 18 01:19:30 host node[123]: "],
    ["a host", "2026-11-18T01:19:30.051Z [orders] [info] "],
  ])("reads it behind %s", (_, prefix) => {
    const { fault } = fail.unavailable`The warehouse does not answer.`;
    const lines = writtenLines({ fault: stamped(fault), cause: refused }).map((line) => `${prefix}${line}`);
    expect(incidentInText(lines)).toMatchObject({
      id: ID,
      reason: "adhoc/unavailable",
      fault: { message: "The warehouse does not answer." },
      causes: [{ name: "Error", message: refused.message, fields: { code: "ECONNREFUSED" } }],
    });
  });

  it.each([
    ["a sentence", "kind= reason= at=1"],
    ["an unknown class", `kind=nope class=nope reason=core/unavailable message="x"`],
  ])("takes %s for no incident", (_, line) => {
    expect(incidentInText([line])).toBeUndefined();
  });

  it.each([
    [
      "a quotation without an end",
      `at=${AT} kind=unavailable class=dependency reason=core/unavailable message="${"\\".repeat(50_000)}`,
    ],
    ["very many pairs", `at=1 ${"a=1 ".repeat(50_000)} kind=x reason=y`],
  ])("takes %s for no incident, and little time", async (_, line) => {
    await expectCost({
      work: () => expect(incidentInText([line])).toBeUndefined(),
      yardstick: () => Array.from(line),
      atMost: 30,
    });
  });
});

describe("incidentsInValue", () => {
  function loggedBy(incident: object): unknown {
    const lines: unknown[] = [];
    const error = (fields: object, msg: string) => lines.push({ level: 50, time: Date.parse(AT), ...fields, msg });
    loggerSink({ error })({ at: AT, ...incident } as Incident);
    return JSON.parse(JSON.stringify(lines[0]));
  }

  it("reads what a logger such as pino writes", () => {
    const value = loggedBy({ fault: stamped(core.internal.fault({})), tool: "pay", cause: new TypeError("x is null") });
    expect(incidentsInValue(value)).toMatchObject([
      { writer: "server", id: ID, at: AT, tool: "pay", causes: [{ name: "TypeError", message: "x is null" }] },
    ]);
  });

  it("reads the upstream's own incident from that of a gateway, and from the gateway's API", () => {
    const upstreamLog = writtenLines({ fault: stamped(core.unavailable.fault({})), cause: new Error("gone") }).join(
      "\n",
    );
    const id = "01M7P3SK8H6KPQZEGNW9770T9H";
    const fault = { ...stamped(core.unavailable.fault({})), incident: id };
    const caller = ["key", "acme", "ci"];
    const facts = { upstream: "orders", tenant: "acme", upstreamIncident: ID };
    const line = { level: "error", message: "…", ...facts, caller, upstreamLog, fault };
    const row = {
      id,
      at: AT,
      fingerprint: "8dc730f2337bf6df",
      reason: "core/unavailable",
      kind: "unavailable",
      ...facts,
      caller: JSON.stringify(caller),
      sample: { fault, sentText: "Sorry.", upstreamLog, causes: [{ name: "E", message: "m", frames: ["at a"] }] },
    };
    const expected = { id, upstream: "orders", upstreamIncident: ID, tenant: "acme", caller: "key acme ci" };
    const own = { writer: "server", id: ID, upstream: "orders", causes: [{ message: "gone" }] };
    expect(incidentsInValue(line)).toMatchObject([{ writer: "gateway", ...expected }, own]);
    expect(incidentsInValue(row)).toMatchObject([
      { writer: "store", ...expected, sentText: "Sorry.", causes: [{ relation: "thrown", name: "E" }] },
      own,
    ]);
  });

  it.each([
    [null],
    [[]],
    [{ fault: { v: 1 } }],
    [{ message: 3, fault: [] }],
    [{ id: ID, kind: 1, reason: {}, fingerprint: [] }],
    [{ message: "kind=a reason=b" }],
  ])("takes %j for no incident", (value) => {
    expect(incidentsInValue(value)).toEqual([]);
  });

  it("does not trust the types of members", () => {
    const fault = stamped(core.internal.fault({}));
    const odd = { fault, err: { stack: 1 }, caller: [{}], tool: 7, durationMs: "x", upstreamIncident: "no", code: 1.5 };
    expect(incidentsInValue(odd)).toEqual([
      {
        writer: "server",
        id: ID,
        kind: "internal",
        reason: "core/internal",
        fault: expect.anything(),
        at: AT,
        causes: [],
      },
    ]);
  });
});
