import { describe, expect, it } from "vitest";
import { type Authored, buildFault } from "./build.ts";
import type { Fault } from "./fault.ts";
import { readIncident } from "./id.ts";
import { KINDS, type Kind } from "./kinds.ts";
import { readTime, readTrace, stampFault } from "./stamp.ts";

const INCIDENT = "01ARYZ6S41TSV4RRFFQ69G5FAV";
const OTHER = "01ARYZ6S41TSV4RRFFQ69G5FAW";
const AT = "2026-11-15T02:00:00.000Z";
const TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const BASE = "https://docs.example.com/reasons";
const STAMPS = { incident: INCIDENT, at: AT, trace: TRACE, docsBase: BASE };

const built = (kind: Kind, more: Partial<Parameters<typeof buildFault>[0]> = {}) =>
  buildFault({ kind, reason: `test/${kind}`, message: "It failed." as Authored, ...more });

describe("stampFault", () => {
  it("adds all stamps to a fault", () => {
    const fault = built("internal");
    const before = structuredClone(fault);
    const stamped = stampFault(fault, { ...STAMPS, origin: { layer: "gateway", name: "edge" } });
    expect(stamped).toStrictEqual({
      ...before,
      origin: { layer: "gateway", name: "edge" },
      incident: INCIDENT,
      at: AT,
      trace: TRACE,
      docs: `${BASE}/test/internal`,
    });
    expect(Object.isFrozen(stamped)).toBe(true);
    expect(fault).toStrictEqual(before);
  });

  it("changes nothing without stamps", () => {
    const fault = built("internal", { cause: built("conflict") });
    expect(stampFault(fault, {})).toStrictEqual(fault);
  });

  it.each(Object.keys(KINDS) as Kind[])("gives %s the incident, unless it is a refused credential", (kind) => {
    expect(stampFault(built(kind), STAMPS).incident).toBe(kind === "unauthenticated" ? undefined : INCIDENT);
  });

  it("leaves refusals of credentials without stamps, so that all look alike", () => {
    const deep = stampFault(built("upstream_failed"), STAMPS);
    const deeper = { ...stampFault(built("internal", { cause: deep }), STAMPS), incident: OTHER };
    const make = (fault: Fault, incident: string) =>
      stampFault(fault, {
        ...STAMPS,
        incident,
        at: `2026-11-15T02:00:00.${incident.length}Z`,
      });
    const plain = make(built("unauthenticated"), INCIDENT);
    expect(plain).toStrictEqual(built("unauthenticated"));
    expect(Object.isFrozen(plain)).toBe(true);
    const marked = { ...built("unauthenticated"), incident: OTHER, at: AT, trace: TRACE, docs: BASE };
    expect(JSON.stringify(make(marked, OTHER))).toBe(JSON.stringify(plain));
    const caused = JSON.stringify(make({ ...marked, cause: deeper }, OTHER));
    for (const trait of [INCIDENT, OTHER, AT, TRACE, BASE]) expect(caused).not.toContain(trait);
    expect(JSON.parse(caused)).toMatchObject({ cause: { kind: "internal", cause: { kind: "upstream_failed" } } });
  });

  it("sets the origin of a refusal of credentials", () => {
    const stamped = stampFault(built("unauthenticated"), { ...STAMPS, origin: { layer: "gateway" } });
    expect(stamped).toStrictEqual({ ...built("unauthenticated"), origin: { layer: "gateway" } });
  });

  it("keeps an earlier stamp, unless a new one is given", () => {
    const first = stampFault(built("internal"), STAMPS);
    expect(stampFault(first, {})).toStrictEqual(first);
    const later = {
      incident: OTHER,
      at: "2027-01-01T00:00:00Z",
      trace: TRACE.replace("00-", "01-"),
      docsBase: "/docs",
    };
    expect(stampFault(first, later)).toMatchObject({
      incident: OTHER,
      at: "2027-01-01T00:00:00Z",
      trace: TRACE.replace("00-", "01-"),
      docs: "/docs/test/internal",
    });
  });

  it("ignores stamps in a wrong form", () => {
    const bad = { incident: "42", at: "today", trace: "abc", docsBase: "", origin: { layer: "moon" as "server" } };
    expect(stampFault(built("internal"), bad)).toStrictEqual(built("internal"));
  });

  it.each([
    [BASE, `${BASE}/test/internal`],
    [`${BASE}//`, `${BASE}/test/internal`],
    ["/docs", "/docs/test/internal"],
    ["urn:docs", "urn:docs/test/internal"],
    ["", undefined],
    ["docs.example.com", undefined],
    ["https://user:pw@example.com", undefined],
    ["javascript:alert(1)", undefined],
    [`/${"d".repeat(241)}`, `/${"d".repeat(241)}/test/internal`],
    [`/${"d".repeat(242)}`, undefined],
  ])("links from %s to %s", (docsBase, docs) => {
    expect(stampFault(built("internal"), { docsBase }).docs).toBe(docs);
  });

  it("links to no page for an ad-hoc reason", () => {
    expect(stampFault(built("internal", { reason: "adhoc/internal" }), STAMPS).docs).toBeUndefined();
    expect(stampFault(built("internal", { reason: "adhocracy/internal" }), STAMPS).docs).toBe(
      `${BASE}/adhocracy/internal`,
    );
  });
});

describe("the form of a stamp", () => {
  it.each([
    [INCIDENT, true],
    [INCIDENT.toLowerCase(), false],
    [`${INCIDENT}0`, false],
    ["", false],
    [7, false],
    [[INCIDENT], false],
  ])("incident %s: %s", (value, taken) => {
    expect(readIncident(value)).toBe(taken ? value : undefined);
  });

  it.each([
    ["2026-11-15T02:00:00Z", true],
    ["2026-11-15T02:00:00.1Z", true],
    ["2026-11-15T02:00:00.123456789+05:30", true],
    ["2026-11-15T02:00:00-01:00", true],
    ["2026-11-15T02:00:00.1234567890Z", false],
    ["2026-11-15T02:00:00.Z", false],
    ["2026-11-15T02:00:00", false],
    ["2026-11-15T02:00Z", false],
    ["2026-11-15", false],
    ["26-11-15T02:00:00Z", false],
    ["12026-11-15T02:00:00Z", false],
    ["2026-1-15T02:00:00Z", false],
    ["2026-11-5T02:00:00Z", false],
    ["2026-11-15T2:00:00Z", false],
    ["2026-11-15T02:0:00Z", false],
    ["2026-11-15T02:00:0Z", false],
    ["2026-11-15T02:00:00+5:30", false],
    ["2026-11-15T02:00:00+05:3", false],
    ["2026-11-15T02:00:00Z ", false],
    [" 2026-11-15T02:00:00Z", false],
    [1_700_000_000_000, false],
    [new Date(0), false],
    [["2026-11-15T02:00:00Z"], false],
  ])("time %s: %s", (value, taken) => {
    expect(readTime(value)).toBe(taken ? value : undefined);
  });

  const [version, id, parent, flags] = TRACE.split("-") as [string, string, string, string];
  it.each([
    [TRACE, true],
    [TRACE.toUpperCase(), false],
    [`x${TRACE}`, false],
    [`${TRACE}-x`, false],
    [`0-${id}-${parent}-${flags}`, false],
    [`${version}-${id}0-${parent}-${flags}`, false],
    [`${version}-${id.slice(1)}-${parent}-${flags}`, false],
    [`${version}-${id}-${parent}0-${flags}`, false],
    [`${version}-${id}-${parent.slice(1)}-${flags}`, false],
    [`${version}-${id}-${parent}-1`, false],
    [7, false],
    [[TRACE], false],
  ])("trace %s: %s", (value, taken) => {
    expect(readTrace(value)).toBe(taken ? value : undefined);
  });
});
