import { describe, expect, it } from "vitest";
import { readCallerTexts } from "../src/safety/caller-texts.ts";
import { filterLine } from "../src/safety/filter-line.ts";
import { FOREIGN_TEXT } from "../src/safety/pattern-filter.ts";
import { attacks, type CallerText, heldOut, heldOutLast, heldOutLater, honest, typical } from "./caller-texts.ts";
import { echoCases, heldOutEchoCases, honestAccess, laterEchoCases } from "./echo-cases.ts";

const show = (text: string, args?: unknown) =>
  filterLine(
    text,
    { max: 480, rule: FOREIGN_TEXT.ruleForQuote },
    { callerTexts: args === undefined ? undefined : readCallerTexts(args) },
  );
const hidden = (set: readonly CallerText[]) => set.filter(({ text, args }) => show(text, args) === undefined);

/** Each was written without a look at the rules, but the rules were changed after all but the last: those rates are in-sample. */
const HONEST = { honest, heldOut, heldOutLater, heldOutLast, typical, honestAccess } as const;

describe("sentences that repeat their caller", () => {
  it.each(Object.entries(HONEST))("are shown, nine of ten at least: %s", (name, set) => {
    const lost = hidden(set);
    console.log(
      `${name}: ${set.length - lost.length} of ${set.length} shown`,
      lost.map(({ text }) => text),
    );
    expect(lost.length / set.length).toBeLessThanOrEqual(0.1);
  });

  it("are shown whole", () => {
    const [{ text, args }] = honest as readonly [CallerText];
    expect(show(text)).toBe(undefined);
    expect(show(text, args)).toBe(text);
  });
});

describe("attacks", () => {
  it("are at least 100, and hidden without arguments", () => {
    expect(attacks.length).toBeGreaterThanOrEqual(100);
    expect(attacks.filter(({ text }) => show(text) !== undefined)).toStrictEqual([]);
  });

  it("gain nothing by any argument", () => {
    expect(attacks.filter(({ text, args }) => show(text, args) !== undefined)).toStrictEqual([]);
  });

  it("gain nothing in sentences that repeat a part of the leak", () => {
    const all = [...echoCases, ...laterEchoCases, ...heldOutEchoCases];
    expect(all.filter(({ text }) => show(text) !== undefined)).toStrictEqual([]);
    const gained = (set: typeof all) => set.filter(({ text, args }) => show(text, args) !== undefined);
    expect(gained([...echoCases, ...laterEchoCases])).toStrictEqual([]);
    const left = gained([...heldOutEchoCases]);
    console.log(
      `echo, held out: ${left.length} of ${heldOutEchoCases.length} gain`,
      left.map(({ text }) => text),
    );
    // Words that no rule would hide in a sentence of their own, in lower case.
    expect(left.length).toBeLessThanOrEqual(6);
  });

  it("gain nothing by the arguments of another attack or of an honest call", () => {
    const others = Object.values(HONEST).flat().slice(0, 60);
    const gained = attacks.flatMap(({ text, args, secret }) =>
      others.filter(
        (other) =>
          !JSON.stringify(other.args).toLowerCase().includes(secret.toLowerCase()) &&
          show(text, [args, other.args]) !== undefined,
      ),
    );
    expect(gained).toStrictEqual([]);
  });
});
