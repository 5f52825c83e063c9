import { benign, leaks } from "@recourse/testing";
import { describe, expect, it } from "vitest";
import { checkReturned, isFailedResult, markRelayed } from "./returned-failure.ts";

const failing = (text: string) => ({ isError: true, content: [{ type: "text", text }] });
const check = (text: string, more = {}) =>
  checkReturned(failing(text), { isReadOnly: false, sent: undefined, ...more });

describe("the texts of the corpus, returned with isError", () => {
  it("are replaced where they leak", () => {
    const shown = leaks.filter(({ text }) => check(text).result !== undefined).map(({ id }) => id);
    console.log(`${shown.length} of ${leaks.length} leaks (in-sample) shown`, shown);
    // Four that every filter misses, and four that are only long, or cut within a character.
    expect(shown.length).toBeLessThanOrEqual(8);
  });

  it("are all replaced with `hide`", () => {
    const isShown = ({ text }: { readonly text: string }) => check(text, { foreignText: "hide" }).result !== undefined;
    expect([...leaks, ...benign].filter(isShown)).toEqual([]);
  });

  it("stay as they are where they are honest", () => {
    const changed = benign.filter(
      ({ text }) => JSON.stringify(check(text).result?.["content"]) !== JSON.stringify(failing(text).content),
    );
    console.log(`${changed.length} of ${benign.length} honest sentences (in-sample) replaced`);
    expect(changed).toEqual([]);
  });
});

describe("isFailedResult", () => {
  it("tells failures that have to be checked", () => {
    expect(isFailedResult(failing("x"))).toBe(true);
    expect(isFailedResult({ isError: 1 })).toBe(true);
    for (const other of [{ content: [] }, { isError: false }, undefined, "x", [], markRelayed(failing("x"))]) {
      expect(isFailedResult(other)).toBe(false);
    }
  });
});
