import { expect, it } from "vitest";
import { readCallerTexts } from "../../src/safety/caller-texts.ts";
import { showLine } from "../../src/safety/show-line.ts";
import { CALLER_TEXTS, type CallerText } from "./texts.ts";

const show = (text: string, args?: unknown) =>
  showLine(text, { max: 480, role: "quote" }, { callerTexts: args === undefined ? undefined : readCallerTexts(args) });

// Each set was written without a look at the rules, but the rules were changed after all but the last: those rates are in-sample.
it.each(["first", "second", "third", "fourth", "typical"])(
  "sentences that repeat their caller are shown whole, nine of ten at least: %s set",
  (name) => {
    const set = CALLER_TEXTS.filter((one) => one.set === name);
    const lost = set.filter(({ text, args }) => show(text, args) !== text);
    console.log(
      `${name}: ${set.length - lost.length} of ${set.length} shown whole`,
      lost.map(({ text, args }) => [text, show(text, args)]),
    );
    expect(lost.length / set.length).toBeLessThanOrEqual(0.1);
  },
);

it("shows a repeated path only to the caller that sent it", () => {
  const [{ text, args }] = CALLER_TEXTS as [CallerText];
  expect(show(text)).not.toBe(text);
  expect(show(text, args)).toBe(text);
});

it("shows none of the attacks' secrets beyond those that no rule knows", () => {
  const attacks = CALLER_TEXTS.filter(({ secret }) => secret !== undefined);
  const shown = attacks.filter(({ text, args, secret = "" }) => show(text, args)?.includes(secret) === true);
  console.log(`attacks: ${shown.length} of ${attacks.length} secrets are shown`);
  // Words without a label, and what stands after a space in a path. The arguments change nothing about them.
  expect(shown.length).toBeLessThanOrEqual(50);
});
