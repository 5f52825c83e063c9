// The specification and its proofs: each requirement is stated once and has a proof, and each proof exists.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { collectVectors } from "../packages/cli/src/conformance/vectors.ts";
import { FAULT_LIMITS } from "../packages/core/src/fault/fault.ts";
import { KINDS } from "../packages/core/src/fault/kinds.ts";
import { faultSchema } from "../packages/core/src/fault/schema.ts";
import { WRONG_IMPLEMENTATIONS } from "./wrong-implementations.ts";

const ROOT = join(import.meta.dirname, "..");
const SPEC = readFileSync(join(ROOT, "docs/spec/faults.md"), "utf8");
const [TEXT = "", PROOFS = ""] = SPEC.split("## Requirements and their proofs");
const stated = [...TEXT.matchAll(/\*\*\[(F\d+)\]\*\*/g)].map(([, number = ""]) => number);
const proofs = [...PROOFS.matchAll(/^\| (F\d+) \| (.*) \|$/gm)].map(([, number = "", cell = ""]) => ({
  number,
  names: cell.split(" · "),
}));
const vectorNames = new Set(collectVectors(import.meta.dirname).map(({ id }) => id.replace(/#.*$/, "")));

/** Whether a proof exists: a vector, or a test by its file and title. */
function isProof(name: string): boolean {
  const [, code = "", title] = /^`([^`]+)`(?:: (.*))?$/.exec(name) ?? [];
  if (title === undefined) return vectorNames.has(code);
  const file = readFileSync(join(ROOT, code), "utf8");
  // The laws of a dialect are named by a template.
  return file.includes(title) || (title === "mcp is held to every law" && file.includes("mcp"));
}

describe("the specification", () => {
  it("numbers its requirements without a gap, each once", () => {
    expect(stated).toEqual(stated.map((_, at) => `F${at + 1}`));
    expect(stated.length).toBeGreaterThan(40);
  });

  it("has a requirement in every paragraph and point with MUST", () => {
    const paragraphs = (TEXT.split("## 1. Why")[1] ?? "").split(/\n\n|\n(?=- |\d\. )/);
    const open = paragraphs.filter((one) => /\bMUST\b/.test(one) && !/\*\*\[F\d+\]\*\*/.test(one));
    expect(open).toEqual([]);
  });

  it("has proofs for the same requirements, and every proof exists", () => {
    expect(proofs.map(({ number }) => number)).toEqual(stated);
    expect(proofs.filter(({ names }) => names.length === 0)).toEqual([]);
    expect(proofs.flatMap(({ names }) => names).filter((name) => !isProof(name))).toEqual([]);
  });

  it("has the members of the schema, in its table", () => {
    const members = [...(TEXT.split("### 4.1")[0] ?? "").matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`([A-Za-z]+)`/g)].map(([, name = ""]) => name),
    );
    for (const name of Object.keys(faultSchema["properties"] as object)) expect(members).toContain(name);
    expect(TEXT).toContain(`1 to ${FAULT_LIMITS.message} units`);
    expect(TEXT).toContain(`${FAULT_LIMITS.quote} units`);
  });

  it("has the rows of every kind", () => {
    for (const [kind, { class: name, firstMove, effect }] of Object.entries(KINDS))
      expect(TEXT).toContain(`| \`${kind}\` | ${name} | \`${firstMove}\` | ${effect} |`);
  });

  it("names a wrong implementation for every requirement that vectors prove", () => {
    const broken = new Set(WRONG_IMPLEMENTATIONS.map(({ breaks }) => breaks));
    const byVectors = proofs.filter(({ names }) => names.some((name) => !name.includes("`: ")));
    expect(byVectors.map(({ number }) => number).filter((number) => !broken.has(number))).toEqual([]);
  });
});
