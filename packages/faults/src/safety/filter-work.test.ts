import { describe, expect, it } from "vitest";
import { readPeerFault } from "../dialects/peer-fault.ts";
import { redactSecrets } from "../fault/amend.ts";
import type { Fault } from "../fault/fault.ts";
import { releaseFault } from "../server/release.ts";
import { limitFilters, mayRead, spendWork, TOO_MUCH } from "./filter-work.ts";
import { findPattern } from "./pattern-filter.ts";
import { containsSecret, createSecretFilter } from "./secrets.ts";

const SECRET = "hunter2-hunter2";
const secrets = createSecretFilter([SECRET]);
const ALL = 1_000_000;

/** A fault as a peer sends it, with as many texts as fit, each of its own. */
function forged(textOf: (index: number) => string): object {
  let index = 0;
  const text = () => textOf(index++);
  const texts = (count: number) => Array.from({ length: count }, text);
  return {
    v: 1,
    kind: "invalid_input",
    reason: "other/refused",
    message: "It was refused.",
    effect: "none",
    params: Object.fromEntries(texts(20).map((_, at) => [`p${at}`, texts(10)])),
    issues: Array.from({ length: 20 }, () => ({
      pointer: `/${text()}`,
      rule: "unknown",
      expected: text(),
      suggestion: text(),
      keys: texts(10),
    })),
    recourse: [{ do: "fix_input", candidates: texts(10) }],
    quote: { text: text(), from: "peer" },
  };
}

describe("limitFilters", () => {
  it("gives one limit to what runs inside of it, and a new one to the next", () => {
    const used = limitFilters(() => [spendWork(1), limitFilters(() => spendWork(ALL)), mayRead(0, "line")]);
    expect(used).toEqual([true, false, false]);
    expect(limitFilters(() => spendWork(1))).toBe(true);
  });

  it("ends where what it runs throws", () => {
    const run = () =>
      limitFilters(() => {
        spendWork(ALL);
        throw new Error("no");
      });
    expect(run).toThrow("no");
    expect(limitFilters(() => spendWork(1))).toBe(true);
  });

  it("sets no limit outside", () => {
    expect(spendWork(ALL)).toBe(true);
    expect(findPattern("A plain sentence.")).toBeUndefined();
  });

  it("lets nothing pass once it is used up", () => {
    limitFilters(() => {
      spendWork(ALL);
      expect(findPattern("A plain sentence.")).toBe(TOO_MUCH);
      expect(containsSecret("A plain sentence.", secrets)).toBe(true);
    });
  });
});

describe("a fault whose texts cost too much", () => {
  const costly = forged((index) => `word${index.toString(36)} `.repeat(120).trim());

  it("keeps those that were read first, and loses the others", () => {
    const fault = readPeerFault(costly) as Fault;
    const { issues = [] } = fault;
    expect(fault.kind).toBe("invalid_input");
    expect(issues[0]?.expected).toBeDefined();
    expect(issues.at(-1)?.expected).toBeUndefined();
    expect(fault.quote).toBeUndefined();
  });

  it("reads the same each time, whatever was read before", () => {
    const read = () => limitFilters(() => releaseFault(readPeerFault(costly) as Fault, { foreignText: "quote" }).fault);
    const first = JSON.stringify(read());
    for (let round = 0; round < 3; round++) expect(JSON.stringify(read())).toBe(first);
  });

  it("never shows a text that nobody has searched", () => {
    const short = (index: number) => (index % 7 === 0 ? SECRET : `plain words ${index.toString(36)}`);
    const given = readPeerFault(forged((index) => `plain words ${index.toString(36)}`)) as Fault;
    const fault = { ...given, quote: { text: SECRET, from: "peer" }, params: { a: SECRET } } as Fault;
    for (let spent = 0; spent < 40_000; spent += 997) {
      const shown = limitFilters(() => {
        spendWork(spent);
        const read = readPeerFault(forged(short), { secrets });
        return [
          read && releaseFault(read, { foreignText: "quote", secrets }).fault,
          redactSecrets(releaseFault(fault, { foreignText: "quote", secrets }).fault, secrets),
          redactSecrets(fault, secrets),
        ];
      });
      expect(JSON.stringify(shown)).not.toContain(SECRET);
    }
  });

  it("keeps what is no text", () => {
    const fault: Fault = { ...(readPeerFault(forged(() => "x")) as Fault), effect: "applied" };
    const bare = limitFilters(() => {
      spendWork(ALL);
      return redactSecrets(fault, secrets);
    });
    expect(bare).toStrictEqual({
      v: 1,
      kind: "invalid_input",
      class: "validation",
      reason: "other/refused",
      message: "The arguments are wrong.",
      recourse: [{ do: "fix_input" }],
      effect: "applied",
      origin: { layer: "server" },
      basis: "stated",
    });
  });
});
