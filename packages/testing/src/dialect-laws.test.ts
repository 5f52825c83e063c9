import type { Fault } from "@recourse/core";
import { closient, type Dialect } from "@recourse/core/dialects";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DialectLaw, dialectLaws } from "./dialect-laws.ts";

/** A dialect that carries the whole fault and believes it. */
const plain: Dialect<{ readonly failure: Fault }> = {
  name: "plain",
  encode: (fault) => ({ failure: fault }),
  decode: (wire) => (closient.decode(wire) ?? (wire as { failure?: Fault } | null)?.failure) as Fault | undefined,
};

const lawOf = (dialect: Dialect<unknown>, part: string): DialectLaw => {
  const [law, ...others] = dialectLaws(dialect, { fc }).filter(({ name }) => name.includes(part));
  if (law === undefined || others.length > 0) throw new Error(`not one law: ${part}`);
  return law;
};

let turn = 0;
const broken: readonly (readonly [part: string, dialect: Dialect<unknown>])[] = [
  ["more certain", { ...plain, decode: (wire) => amend(plain.decode(wire), { effect: "none", basis: "stated" }) }],
  ["more certain", { ...plain, decode: () => undefined }],
  ["any JSON", { ...plain, decode: (wire) => JSON.parse(String(wire)) as Fault }],
  ["one member changed", { ...plain, decode: (wire) => Object.freeze((wire as { failure: Fault }).failure.cause) }],
  ["are pure", { ...plain, encode: (fault) => ({ failure: fault, turn: turn++ }) }],
  ["is published", { ...plain, codes: { codeOf: () => 7, published: () => ({ 8: "core/conflict" }) } }],
];

function amend(fault: Fault | undefined, changes: Partial<Fault>): Fault | undefined {
  return fault && Object.freeze({ ...fault, ...changes });
}

describe("the laws of a dialect", () => {
  it("are kept by a shipped dialect", () => {
    for (const law of dialectLaws(closient, { fc, contexts: [undefined, { form: "reply" }] })) law.run({ numRuns: 20 });
  });

  it("have names that begin with the dialect", () => {
    const names = dialectLaws(closient, { fc }).map(({ name }) => name);
    expect(new Set(names).size).toBe(6);
    for (const name of names) expect(name).toMatch(/^closient: /);
  });

  it.each(broken)("%s: a dialect that breaks it fails", (part, dialect) => {
    expect(() => lawOf(dialect, part).run({ numRuns: 300 })).toThrow("Property failed");
  });
});
