import { toLine } from "../../safety/line.ts";
import type { Bounds, NumberRange } from "./bounds.ts";

/** `1 character`, `8 characters`. */
const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** `at least 8 characters`, `1 to 5 items`; undefined where there is no bound. */
export function sayCount({ least, most }: Bounds, one: string, many: string): string | undefined {
  if (least !== undefined && least === most) return `exactly ${counted(least, one, many)}`;
  if (most === undefined)
    return least === undefined || least <= 0 ? undefined : `at least ${counted(least, one, many)}`;
  return least === undefined || least <= 0
    ? `at most ${counted(most, one, many)}`
    : `${least} to ${counted(most, one, many)}`;
}

/** `an integer from 1 to 100`, `a number above 0`. */
export function sayNumber(range: NumberRange, isInteger: boolean): string {
  const noun = isInteger ? "an integer" : "a number";
  const { least, most, above, below } = ends(range, isInteger);
  if (least !== undefined && most !== undefined && above === undefined && below === undefined)
    return `${noun} from ${least} to ${most}`;
  const said = [
    least === undefined ? "" : `of at least ${least}`,
    above === undefined ? "" : `above ${above}`,
    most === undefined ? "" : `of at most ${most}`,
    below === undefined ? "" : `below ${below}`,
  ].filter((one) => one !== "");
  return said.length === 0 ? noun : `${noun} ${said.join(" and ")}`;
}

/** The ends that are worth telling: integers have no open ends, and the ends of what is safe are no bounds. */
function ends({ within, between }: NumberRange, isInteger: boolean) {
  const [above, below] = [between.least, between.most];
  const least =
    isInteger && above !== undefined ? Math.max(within.least ?? -Infinity, Math.floor(above) + 1) : within.least;
  const most = isInteger && below !== undefined ? Math.min(within.most ?? Infinity, Math.ceil(below) - 1) : within.most;
  const told = (end: number | undefined) =>
    end === undefined || Math.abs(end) >= Number.MAX_SAFE_INTEGER ? undefined : end;
  return {
    least: told(least),
    most: told(most),
    above: isInteger ? undefined : told(above),
    below: isInteger ? undefined : told(below),
  };
}

/** `text matching ^[A-Z]{3}$`; half a pattern would mislead, so a long one is only mentioned. */
export function sayPattern(source: string): string {
  return source.length <= 80 && toLine(source, 80) === source
    ? `text matching ${source}`
    : "text matching the pattern in the schema";
}

/** As many names as fit, and how many are left out: `red, green and 7 more`. */
export function sayList(names: readonly unknown[], room: number): string {
  const told: string[] = [];
  let left = room - " and 100000 more".length;
  for (const name of names.slice(0, 64)) {
    const word = sayValue(name);
    if (word === undefined || word.length + 2 > left) continue;
    told.push(word);
    left -= word.length + 2;
  }
  const rest = names.length - told.length;
  if (told.length === 0) return "";
  return rest > 0 ? `${told.join(", ")} and ${rest} more` : told.join(", ");
}

/** A value of the schema as a word: bare where it reads as one, in quotation marks where it does not. */
function sayValue(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value);
  if (typeof value !== "string" || value.length > 60 || toLine(value, 60) !== value.trim()) return undefined;
  return /^[^\s,"'](?:[^,"']*[^\s,"'])?$/u.test(value) ? value : JSON.stringify(value);
}
