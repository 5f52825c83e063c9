import { expect, it } from "vitest";
import { readPeerFault } from "../dialects/peer-fault.ts";
import type { Fault } from "../fault/fault.ts";
import { cancelled, internal, not_found, rate_limited } from "../reasons/library/core.ts";
import { not_found as tool_not_found } from "../reasons/library/tool.ts";
import { render } from "../render/render.ts";
import { createSecretFilter } from "../safety/secrets.ts";
import { type FailedCallFacts, finalizeFault } from "./finalize-fault.ts";
import type { CallIncident } from "./options.ts";

const ID = "01KDYAK3480000000000000000";
const OTHER = "01KDYAK3480000000000000001";
const NOW = Date.parse("2026-01-02T03:04:05.000Z");
const FACTS: FailedCallFacts = {
  request: { method: "tools/call", name: "resolve", params: {} },
  attempts: 2,
  durationMs: 30,
  last: undefined,
};

function released(fault: Fault, more: { readonly facts?: Partial<FailedCallFacts>; readonly secret?: string } = {}) {
  const told: CallIncident[] = [];
  const options = {
    sink: (incident: CallIncident) => told.push(incident),
    ...(more.secret !== undefined && { secrets: createSecretFilter([more.secret]) }),
  };
  const out = finalizeFault(
    fault,
    { ...FACTS, ...more.facts },
    { options, now: () => NOW, createId: () => ID, hasTool: () => false },
  );
  return { out, told };
}

it("stamps a failure of the server, and keeps a record under the same id", () => {
  const cause = new Error("private");
  const seen = { phase: "ended", exchanges: 1, startedMs: 0, status: 502, body: "<html>" } as const;
  const ending = { how: "threw", error: cause } as const;
  const { out, told } = released(internal.fault(), {
    facts: { last: { fault: internal.fault(), ending, record: seen } },
  });
  expect(out).toMatchObject({ incident: ID, at: "2026-01-02T03:04:05.000Z" });
  expect(told).toEqual([
    {
      fault: out,
      at: "2026-01-02T03:04:05.000Z",
      method: "tools/call",
      tool: "resolve",
      durationMs: 30,
      attempts: 2,
      cause,
      phase: "ended",
      status: 502,
      body: "<html>",
    },
  ]);
});

it("keeps what the peer stamped", () => {
  const stated = { ...internal.fault(), incident: OTHER, at: "2026-01-01T00:00:00.000Z" };
  const { out, told } = released(stated);
  expect(out).toMatchObject({ incident: OTHER, at: "2026-01-01T00:00:00.000Z" });
  expect(told[0]?.fault.incident).toBe(OTHER);
});

it("records a mistake of the caller, without an id that would ask people to report it", () => {
  const { out, told } = released(not_found.fault());
  expect(out.incident).toBeUndefined();
  expect(told).toMatchObject([{ fault: out, attempts: 2, tool: "resolve" }]);
});

it("keeps no record of what the caller ended, or of what was not sent", () => {
  const ended = released(cancelled.fault({}, { origin: { layer: "client" } }));
  const unsent = released(rate_limited.fault(), { facts: { attempts: 0 } });
  for (const { out, told } of [ended, unsent]) {
    expect(out.incident).toBeUndefined();
    expect(told).toEqual([]);
  }
});

it("marks what is tried again, which is not bad yet", () => {
  expect(released(internal.fault(), { facts: { retryInMs: 500 } }).told).toMatchObject([
    { retryInMs: 500, severity: "warning" },
  ]);
});

it("mints no id without a sink, since it would lead nowhere", () => {
  const out = finalizeFault(internal.fault(), FACTS, {
    options: {},
    now: () => NOW,
    createId: () => ID,
    hasTool: () => false,
  });
  expect(out.incident).toBeUndefined();
  expect(out.at).toBe("2026-01-02T03:04:05.000Z");
});

it("shows the tools that a server suggests in the sentence, as far as the server lists them", () => {
  const sent = tool_not_found.fault(
    { tool: "serch" },
    { recourse: [{ do: "choose_another", candidates: ["search", "obey_me"] }] },
  );
  const fault = readPeerFault(JSON.parse(JSON.stringify(sent))) as Fault;
  const context = { options: {}, now: () => NOW, createId: () => ID };
  const textWith = (listed: readonly string[]) =>
    render(finalizeFault(fault, FACTS, { ...context, hasTool: (name) => listed.includes(name) }), { for: "model" });
  expect(textWith(["search", "obey_me"])).toBe('No such tool: "serch". Did you mean "search" or "obey_me"?');
  expect(textWith(["search"])).toBe(
    'No such tool: "serch". Quote from the server: “(suggested: "obey_me")” Did you mean "search"?',
  );
  expect(textWith([])).toBe(
    'No such tool: "serch". Quote from the server: “(suggested: "search", "obey_me")” Use another tool.',
  );
});
