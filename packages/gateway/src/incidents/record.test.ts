import { createSecretFilter, fail } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import { describe, expect, it } from "vitest";
import { INCIDENTS, incidentWith } from "../../test/incidents/support.ts";
import { otherFingerprint, Recorder } from "./record.ts";
import { sampleJson } from "./sample.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const recorded = (given: Parameters<typeof incidentWith>[0] = {}, config = INCIDENTS) =>
  new Recorder({ config }).record(incidentWith({ atMs: NOW, ...given }));

function thrownHere(message: string): Error {
  return new Error(message);
}
function thrownThere(message: string): Error {
  return new Error(message);
}

describe("the fingerprint", () => {
  it("is the same whatever the texts, the caller and the time are", () => {
    const one = recorded({ cause: thrownHere("a"), caller: "ann" });
    const other = recorded({ cause: thrownHere("b"), caller: "bob", atMs: NOW + 5, tenant: "other" });
    expect(other?.fingerprint).toBe(one?.fingerprint);
  });

  it.each([
    ["upstream", { upstream: "other" }],
    ["tool", { tool: "other" }],
    ["reason", { fault: core.unavailable.fault() }],
    ["class of the cause", { cause: new TypeError("a") }],
    ["place of the cause", { cause: thrownThere("a") }],
    ["missing cause", { cause: undefined }],
  ])("differs by %s", (_, given) => {
    const cause = thrownHere("a");
    expect(recorded({ cause, ...given })?.fingerprint).not.toBe(recorded({ cause })?.fingerprint);
  });

  it("is one for all of an upstream where there are too many, and new ones count again the next day", () => {
    const recorder = new Recorder({ config: INCIDENTS, perUpstream: 3, total: 5 });
    const of = (tool: string, upstream: string, atMs = NOW) => recorder.record(incidentWith({ tool, upstream, atMs }));
    const own = ["a", "b", "c"].map((tool) => of(tool, "x")?.fingerprint);
    expect(new Set(own).size).toBe(3);
    expect(of("d", "x")).toMatchObject({
      fingerprint: otherFingerprint("x"),
      tool: "d",
      reason: "core/internal",
      about: { reason: "other", kind: "other" },
    });
    expect(of("a", "x")?.fingerprint).toBe(own[0]);
    expect(of("a", "y")?.about.reason).toBe("core/internal");
    expect(of("b", "y")?.about.reason).toBe("core/internal");
    expect(of("c", "y")?.fingerprint).toBe(otherFingerprint("y"));
    expect(of("d", "x", NOW + 86_400_000)?.about.reason).toBe("core/internal");
  });
});

describe("the sample", () => {
  it("has no secrets of the request, and nothing that looks like a credential", () => {
    const secrets = createSecretFilter(["hunter2hunter2"]);
    const below = new Error("mail ann@example.com");
    const cause = new Error("sent hunter2hunter2\nAuthorization: Bearer sk_live_51H8xyzABCDEFGHIJKLMNOP", {
      cause: below,
    });
    const record = recorded({ cause, secrets, sentText: "told", code: -32603 });
    const json = JSON.stringify(record);
    expect(json).not.toMatch(/hunter2|sk_live|ann@example/);
    expect(record?.sample?.causes.map(({ relation, message }) => [relation, message])).toEqual([
      ["thrown", "sent [removed]\nAuthorization: Bearer [removed]"],
      ["cause", "mail [removed]"],
    ]);
    expect(record?.sample).toMatchObject({ sentText: "told", code: -32603, method: "tools/call" });
  });

  it("has the id of the upstream's incident, members of errors, thrown objects and fields", () => {
    const upstreamIncident = "01M7HXRMR83H8Q9JKGBAVMDXX4";
    const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED", port: 5432 });
    const cause = new AggregateError([refused, { status: 503 }], `incident ${upstreamIncident} failed`);
    const record = recorded({ cause, upstreamIncident });
    expect(record?.upstreamIncident).toBe(upstreamIncident);
    const facts = record?.sample?.causes.map(({ frames: _frames, ...rest }) => rest);
    expect(facts).toEqual([
      {
        relation: "thrown",
        name: "AggregateError",
        message: `incident ${upstreamIncident} failed`,
        code: undefined,
        fields: {},
      },
      { relation: "member", name: "Error", message: "refused", code: "ECONNREFUSED", fields: { port: "5432" } },
      { relation: "member", name: "object", message: '{"status":503}', code: undefined, fields: {} },
    ]);
  });

  it("texts: drop keeps neither texts of causes nor of upstreams", () => {
    const fault = fail.conflict`Order ${"o-4711"} is taken by Ann.`.fault;
    const quoted = { ...fault, quote: { text: "Ann took it", from: "upstream" as const } };
    const record = recorded({ fault: quoted, cause: new Error("Ann again") }, { ...INCIDENTS, texts: "drop" });
    expect(JSON.stringify({ ...record, tool: undefined })).not.toMatch(/Ann|4711/);
    expect(record?.sample?.causes[0]?.frames.length).toBeGreaterThan(0);
    expect(record?.sample?.fault).toMatchObject({ kind: "conflict", reason: fault.reason, effect: fault.effect });
  });

  it("is bounded, whatever was thrown", () => {
    let cause: Error = new Error("x".repeat(100_000));
    for (let depth = 0; depth < 50; depth += 1) cause = new Error("y ".repeat(50_000), { cause });
    const hostile = new Proxy(new Error("trap"), {
      get: () => {
        throw new Error("no");
      },
      getOwnPropertyDescriptor: () => {
        throw new Error("no");
      },
    });
    for (const thrown of [cause, hostile, null, 7, "text", { message: 1 }, Object.create(null)]) {
      const sample = recorded({ cause: thrown })?.sample;
      const json = sample === undefined ? undefined : sampleJson(sample);
      expect(json?.length).toBeLessThanOrEqual(32_768);
    }
  });

  it("is kept for the first ones of a fingerprint in each minute", () => {
    const recorder = new Recorder({ config: { ...INCIDENTS, samplesPerMinute: 2 } });
    const isSampled = (atMs: number, tool = "a") => recorder.record(incidentWith({ atMs, tool }))?.sample !== undefined;
    expect([0, 1, 2, 3].map((ms) => isSampled(NOW + ms))).toEqual([true, true, false, false]);
    expect(isSampled(NOW, "b")).toBe(true);
    expect(isSampled(NOW + 60_000)).toBe(true);
  });
});

it("a failure without an id is not kept", () => {
  const { fault, ...rest } = incidentWith();
  const { incident: _incident, ...unnamed } = fault;
  expect(new Recorder({ config: INCIDENTS }).record({ ...rest, fault: unnamed })).toBeUndefined();
});

describe("too many of one fingerprint", () => {
  const facts = (atMs = NOW, upstream = "shop") => ({ fault: core.internal.fault(), upstream, atMs });
  /** Takes a failure as the edge does, and gives the id that its caller gets. */
  function give(recorder: Recorder, { hasRoom = true, atMs = NOW, upstream = "shop" } = {}) {
    const admission = recorder.admit(facts(atMs, upstream), { hasRoom });
    const record = recorder.record({ ...incidentWith({ atMs, upstream, id: admission.id }), admission });
    return { id: admission.id, isKept: record?.isKept };
  }

  it("get the id of one that is kept, until the next minute", () => {
    const recorder = new Recorder({ config: INCIDENTS, rowsPerMinute: 3 });
    const first = Array.from({ length: 3 }, () => give(recorder));
    expect(first.map(({ isKept }) => isKept)).toEqual([true, true, true]);
    expect(new Set(first.map(({ id }) => id)).size).toBe(3);
    for (let more = 0; more < 5; more += 1) expect(give(recorder)).toEqual({ id: first[2]?.id, isKept: false });
    expect(give(recorder, { upstream: "other" }).isKept).toBe(true);
    expect(give(recorder, { atMs: NOW + 60_000 }).isKept).toBe(true);
  });

  it("get an id of their own again where the kept one is kept no longer", () => {
    const recorder = new Recorder({ config: INCIDENTS, rowsPerMinute: 1 });
    const { id } = give(recorder);
    expect(give(recorder)).toEqual({ id, isKept: false });
    recorder.forget({ id, fingerprint: recorder.admit(facts()).fingerprint });
    expect(give(recorder)).toMatchObject({ isKept: true, id: expect.not.stringMatching(id) });
  });

  it("get the id of one that is kept where there is no room for another, whenever it was", () => {
    const recorder = new Recorder({ config: INCIDENTS });
    const { id } = give(recorder);
    expect(give(recorder, { hasRoom: false, atMs: NOW + 600_000 })).toEqual({ id, isKept: false });
    // If none is kept, the id is in the log only.
    expect(give(recorder, { hasRoom: false, upstream: "other" }).isKept).toBe(true);
  });

  it("never refer to one that was admitted but not recorded", () => {
    const recorder = new Recorder({ config: INCIDENTS, rowsPerMinute: 1 });
    const lost = recorder.admit(facts());
    expect(give(recorder)).toMatchObject({ isKept: true, id: expect.not.stringMatching(lost.id) });
  });
});
