import type { AnyReason, Fault } from "@recourse/core";
import { KINDS, SEVERITIES, severityOf } from "@recourse/core";
import { core, LIBRARY_REASONS } from "@recourse/core/reasons";
import { describe, expect, it } from "vitest";
import { KIND_DOCS } from "./data/kinds.ts";
import { SYSTEMS } from "./data/systems.ts";
import { SYSTEM_NAMES } from "./doc.ts";
import { catalogue } from "./explain.ts";

const SENTENCE = /^(?=.{10,160}$)[A-Z`].*[^.]\.$/;

function isReason(value: unknown): value is AnyReason {
  return typeof value === "function" && "id" in value && "kind" in value && "slots" in value;
}

/** Found by their shape, so that a new module cannot be forgotten here. */
const exported = Object.entries(LIBRARY_REASONS).flatMap(([domain, module]) =>
  Object.entries(module as object)
    .filter((member): member is [string, AnyReason] => isReason(member[1]))
    .map(([name, reason]) => ({ domain, name, reason })),
);

describe("documentation of reasons", () => {
  it("covers exactly the reasons that the library exports", () => {
    expect(Object.keys(catalogue).toSorted()).toEqual(exported.map(({ reason }) => reason.id).toSorted());
  });

  it("has every reason exported under its own name", () => {
    for (const { domain, name, reason } of exported) expect(reason.id).toBe(`${domain}/${name}`);
  });

  it("repeats what the reason says", () => {
    for (const { reason } of exported) {
      const { id, kind, text } = reason;
      expect(catalogue[id]).toMatchObject({ id, kind, text, class: KINDS[kind].class });
      expect(Object.keys(catalogue[id]?.slots ?? {})).toEqual(Object.keys(reason.slots));
    }
  });

  it("names the type of each value, and whether it may be missing", () => {
    expect(catalogue["transport/http_failed"]?.slots).toEqual({ status: "integer" });
    expect(catalogue["transport/exited"]?.slots).toEqual({ exitCode: "integer, optional" });
  });
});

const all = [
  ...Object.values(catalogue).map(({ id, doc }) => ({ of: id, doc })),
  ...Object.entries(KIND_DOCS).map(([of, doc]) => ({ of, doc })),
];

describe.each(all)("$of", ({ of, doc }) => {
  it("has a title and a severity", () => {
    expect(doc.title).toMatch(/^[A-Z].{2,59}[^.]$/);
    expect(SEVERITIES).toContain(doc.severity);
  });

  it("is critical where its incidents are", () => {
    const fault = { ...core.internal.fault(), reason: of, kind: catalogue[of]?.kind ?? of } as Fault;
    expect(doc.severity === "critical").toBe(severityOf(fault) === "critical");
  });

  it.each(["causes", "remedies"] as const)("has two to four short sentences as %s", (list) => {
    const sentences = doc[list];
    expect(sentences.length).toBeGreaterThanOrEqual(2);
    expect(sentences.length).toBeLessThanOrEqual(4);
    expect(new Set(sentences).size).toBe(sentences.length);
    for (const sentence of sentences) expect(sentence).toMatch(SENTENCE);
  });
});

describe("notes, meanings and systems", () => {
  it("are sentences too", () => {
    const notes = Object.values(catalogue).flatMap(({ doc }) => (doc.codes ?? []).map(({ note }) => note));
    const meanings = Object.values(KIND_DOCS).map(({ meaning }) => meaning);
    for (const text of [...notes, ...meanings]) if (text !== undefined) expect(text).toMatch(SENTENCE);
    for (const name of SYSTEM_NAMES) {
      for (const text of [SYSTEMS[name].wire, ...SYSTEMS[name].practice]) expect(text).toMatch(/^[A-Z`].*\.$/);
    }
  });
});
