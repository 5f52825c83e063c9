import { benign, leaks } from "@recourse/testing";
import { describe, expect, it } from "vitest";
import { isFailedResult, markRelayed } from "../replies/reply.ts";
import { checkReturned } from "./returned-failure.ts";

const failing = (text: string) => ({ isError: true, content: [{ type: "text", text }] });
const check = (text: string, more = {}) =>
  checkReturned(failing(text), { isReadOnly: false, sent: undefined, ...more });

describe("the texts of the corpus, returned with isError", () => {
  it("lose what the rules of credentials and personal data find", () => {
    const isLeft = ({ text, canaries }: (typeof leaks)[number]) => {
      const { result } = check(text);
      return canaries.some((canary) => JSON.stringify(result ?? "").includes(JSON.stringify(canary).slice(1, -1)));
    };
    const counts = Object.entries(Object.groupBy(leaks, ({ id }) => id.split("/")[0] ?? "")).map(
      ([group, ones = []]) => [group, ones.filter(isLeft).map(({ id }) => id), ones.length] as const,
    );
    console.log(
      counts
        .map(([group, left, all]) => `${group}: ${left.length} of ${all} leaks (in-sample) left ${left}`)
        .join("\n"),
    );
    const left = counts.flatMap(([group, ids]) => (/^(?:cred|pii)/.test(group) ? ids : []));
    expect(left.length).toBeLessThanOrEqual(9);
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
