import { runs } from "@recourse/test-kit/runs";
import { generators } from "@recourse/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { conflict, internal, rate_limited, timeout } from "../reasons/library/core.ts";
import { createSecretFilter } from "../safety/secrets.ts";
import { amendFault, redactSecrets, stampFault, worseEffect } from "./amend.ts";
import { type Authored, buildFault, type FaultParts } from "./build.ts";
import { readTime, readTrace } from "./clean.ts";
import type { Fault } from "./fault.ts";
import { EFFECTS, KINDS, type Kind } from "./kinds.ts";
import { isFault } from "./read.ts";

const any = generators(fc);

describe("amendFault", () => {
  it("derives moves again that were derived", () => {
    const fault = timeout.fault();
    expect(fault.recourse).toEqual([{ do: "refresh" }]);
    expect(amendFault(fault, { effect: "none" }).recourse).toEqual([{ do: "retry" }]);
    expect(amendFault(fault, { effect: "possible" }).recourse).toBe(fault.recourse);
  });

  it("keeps moves that an author chose, as far as they are allowed", () => {
    const chosen = rate_limited.fault({}, { recourse: [{ do: "retry", afterMs: 5 }, { do: "ask_user" }] });
    expect(amendFault(chosen, { basis: "mapped" }).recourse).toEqual(chosen.recourse);
    expect(amendFault(chosen, { effect: "possible" }).recourse).toEqual([{ do: "ask_user" }]);
  });

  it("keeps the wait of a derived retry", () => {
    const fault = rate_limited.fault({}, { afterMs: 700 });
    expect(amendFault(fault, { limits: undefined, issues: undefined }).recourse).toEqual([
      { do: "retry", afterMs: 700 },
    ]);
  });

  it("removes a member that a fault may lack, and leaves one that it must have", () => {
    const fault = conflict.fault({}, { quote: { text: "Taken.", from: "peer" } });
    expect(amendFault(fault, { quote: undefined })).not.toHaveProperty("quote");
    expect(amendFault(fault, { effect: undefined, origin: undefined, basis: undefined })).toEqual(fault);
  });

  it("gives a frozen fault with its members in one order, and leaves the given one alone", () => {
    const changes = fc.record({ effect: fc.constantFrom(...EFFECTS) }, { requiredKeys: [] });
    fc.assert(
      fc.property(any.fault(), changes, (fault, change) => {
        const before = JSON.stringify(fault);
        const amended = amendFault(fault, change);
        expect(isFault(amended)).toBe(true);
        expect(Object.isFrozen(amended) && Object.isFrozen(amended.recourse)).toBe(true);
        expect(JSON.stringify(fault)).toBe(before);
        expect(JSON.stringify(amendFault(amended, {}))).toBe(JSON.stringify(amended));
        // A retry never stands beside an effect that forbids it.
        const isRaised = worseEffect(fault.effect, amended.effect) !== fault.effect;
        if (isRaised) expect(amended.recourse.some((move) => move.do === "retry")).toBe(false);
      }),
      { numRuns: runs() },
    );
  });
});

it("knows the worse of two effects", () => {
  for (const one of EFFECTS)
    for (const other of EFFECTS)
      expect(worseEffect(one, other)).toBe(EFFECTS[Math.max(EFFECTS.indexOf(one), EFFECTS.indexOf(other))]);
  expect(internal.fault().effect).toBe("possible");
});

describe("stamp", () => {
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
      ["2026-11-15T02:00:00Z", true],
      ["2026-11-15T02:00:00.1Z", true],
      ["2026-11-15T02:00:00.123456789+05:30", true],
      ["2026-11-15T02:00:00.1234567890Z", false],
      ["2026-11-15T02:00:00.Z", false],
      ["2026-11-15T02:00:00", false],
      ["2026-11-15", false],
      ["2026-1-15T02:00:00Z", false],
      ["2026-11-15T02:00:00+5:30", false],
      ["2026-11-15T02:00:00Z ", false],
      [1_700_000_000_000, false],
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
});

describe("redact secrets", () => {
  const SECRET = "hunter2hunter2";
  const secrets = createSecretFilter([SECRET]);
  const built = (more: Partial<FaultParts> = {}): Fault =>
    buildFault({ kind: "conflict", reason: "test/conflict", message: "It is taken." as Authored, ...more });

  describe("redactSecrets", () => {
    it("replaces a message by the general message of the kind", () => {
      const fault = built({ message: `It is ${SECRET}.` as Authored });
      expect(redactSecrets(fault)).toBe(fault);
      expect(redactSecrets(fault, secrets)).toStrictEqual({
        ...fault,
        message: "The call conflicts with the current state.",
      });
      const newer: Fault = { ...fault, kind: "haunted", class: "permission" };
      expect(redactSecrets(newer, secrets)).toStrictEqual({ ...newer, message: "This call is not allowed." });
    });

    it.each<[string, Partial<FaultParts>, object]>([
      ["quote", { quote: { text: SECRET, from: "peer" } }, {}],
      ["tool", { recourse: [{ do: "do_first", tool: SECRET }] }, { recourse: [{ do: "do_first" }] }],
      [
        "issue",
        { issues: [{ pointer: `/a/${SECRET}`, rule: "type", expected: SECRET }] },
        { issues: [{ pointer: "/a", rule: "type" }] },
      ],
      ["limit", { limits: [{ policy: SECRET, quota: 1 }] }, { limits: [{ quota: 1 }] }],
      ["origin", { origin: { layer: "gateway", name: SECRET } }, { origin: { layer: "gateway" } }],
    ])("drops the string from %s and keeps the rest", (_, more, left) => {
      const { quote: _q, issues: _i, limits: _l, ...rest } = built(more);
      expect(redactSecrets(built(more), secrets)).toStrictEqual({ ...rest, ...left });
    });

    it("replaces the message if a param contains a secret, since it may show a part of it", () => {
      const params = { name: SECRET, other: 1 };
      const fault = redactSecrets(built({ params, message: `It is ${SECRET.slice(0, 12)}…` as Authored }), secrets);
      expect(fault.message).toBe("The call conflicts with the current state.");
      expect(fault.params).toStrictEqual({ name: null, other: 1 });
      const listed = redactSecrets(built({ params: { names: ["a", SECRET] } }), secrets);
      expect(listed).toMatchObject({
        message: "The call conflicts with the current state.",
        params: { names: ["a", null] },
      });
    });

    it("still works if a constant sentence contains a secret by coincidence", () => {
      const fault = built({ quote: { text: SECRET, from: "peer" } });
      const chance = redactSecrets(
        buildFault({
          kind: "internal",
          reason: "core/internal",
          message: "An internal error." as Authored,
          cause: fault,
        }),
        createSecretFilter([SECRET, "internal", "conflict", "state", "conflicts with"]),
      );
      expect(JSON.stringify(chance)).not.toContain(SECRET);
      expect([chance.kind, chance.reason, chance.message]).toEqual([
        "internal",
        "core/internal",
        "The call failed because of an internal error.",
      ]);
    });
  });
});
