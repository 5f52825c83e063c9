import { type Bounds, isInBounds, isInRange, isMultiple, rangeOf, sizesOf } from "./bounds.ts";
import { formatOf, sayForm } from "./describe.ts";
import { fitsFormat } from "./formats.ts";
import { matches } from "./pattern.ts";
import { type Problem, problemAt } from "./place.ts";
import { at, listOf, type Members, stringAt } from "./read.ts";
import type { Visit } from "./visit.ts";
import { sayCount, sayNumber } from "./words.ts";

/** The length, pattern and format of a text. */
export function checkText({ walk, place }: Visit, parts: readonly Members[], text: string): Problem[] {
  const problems: Problem[] = [];
  const sizes = sizesOf(parts, "minLength", "maxLength");
  if (!isInBounds(lengthOf(text, sizes), sizes))
    problems.push(problemAt(place, { rule: "length", expected: sayCount(sizes, "character", "characters") }));
  const verdicts = parts.map((part) => {
    const source = stringAt(part, "pattern");
    return source === undefined ? undefined : matches(walk, source, text);
  });
  const format = formatOf(parts);
  // A pattern that could be tried is more exact than the rough look at the format.
  const isTried = verdicts.some((verdict) => verdict !== undefined);
  const fits = isTried || format === undefined ? !verdicts.includes(false) : fitsFormat(format, text) !== false;
  if (!fits) problems.push(problemAt(place, { rule: "format", expected: sayForm(parts) }));
  return problems;
}

/** The length in characters, counted one by one only where the bounds are near. */
function lengthOf(text: string, { least = 0, most = Number.POSITIVE_INFINITY }: Bounds): number {
  const units = text.length;
  const isClear = units < least || units / 2 > most || (units / 2 >= least && units <= most);
  if (isClear) return units / 2 > most || units < least ? units : Math.max(least, units / 2);
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The range and step of a number. */
export function checkNumber({ place }: Visit, parts: readonly Members[], value: number): Problem[] {
  const range = rangeOf(parts);
  const isInteger = parts.some(
    (part) => at(part, "type") === "integer" || listOf(at(part, "type"))?.includes("integer"),
  );
  const problems: Problem[] = [];
  if (!isInRange(value, range))
    problems.push(problemAt(place, { rule: "range", expected: sayNumber(range, isInteger) }));
  if (range.step !== undefined && !isMultiple(value, range.step))
    problems.push(problemAt(place, { rule: "range", expected: `a multiple of ${range.step}` }));
  return problems;
}
