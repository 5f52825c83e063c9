import { readFileSync } from "node:fs";
import { seededRandom } from "@recourse/test-kit/seeded-random";

function readLines<T>(name: string): T[] {
  const lines = readFileSync(new URL(`${name}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line) as T);
}

/** The texts of a file, by the set that they came in. Credentials stand in parts, so that scanners take none for a real one. */
function readSets(name: string): Readonly<Record<string, readonly string[]>> {
  const rows = readLines<[set: string, ...parts: string[]]>(name);
  const sets = Object.entries(Object.groupBy(rows, ([set]) => set));
  return Object.fromEntries(sets.map(([set, list = []]) => [set, list.map(([, ...parts]) => parts.join(""))]));
}

/** Values that an author shows on purpose. None of them is a credential. */
export const VALUES = readSets("values");
/** What honest servers answer when a call fails. */
export const SERVER_TEXTS = readSets("server-texts");
/** Sentences that people throw in honest code, without anything to hide. */
export const SENTENCES = readLines<string>("sentences");
/** What a thrown text gives away by accident, with the part that must never appear. */
export const LEAKS = readLines<[secret: string, ...parts: string[]]>("leaks").map(
  ([secret, ...parts]) => [parts.join(""), secret] as const,
);
/** Sentences about passes, ordinary ones and such with a password. The later ones were written after the rule was finished. */
export const PASSES = readSets("passes");

/** Made-up credentials, and tokens of chat templates. */
export const CREDENTIALS: Readonly<Record<string, readonly string[]>> = (() => {
  const { templates = [], ...sets } = readSets("credentials");
  return { ...sets, templates: templates.map(fill) };
})();

/** A sentence that a handler threw, and the arguments of the call that it failed. */
export interface CallerText {
  readonly set: string;
  readonly text: string;
  readonly args: unknown;
  /** What an attack must not get shown: no argument contains it whole. */
  readonly secret?: string;
}
export const CALLER_TEXTS = readLines<CallerText>("caller-texts");

/** Fills `{A36}` with 36 letters and digits, `b` with base64, `d` with digits, `h` with hex, `u` with URL-safe base64. */
function fill(template: string): string {
  const digits = "0123456789";
  const alphanumeric = `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz${digits}`;
  const alphabets: Readonly<Record<string, string>> = {
    A: alphanumeric,
    b: `${alphanumeric}+/`,
    d: digits,
    h: `${digits}abcdef`,
    u: `${alphanumeric}-_`,
  };
  const random = seededRandom(template.length);
  return template.replace(/\{([Abdhu])(\d+)\}/g, (_, kind: string, length: string) => {
    const from = alphabets[kind] ?? "";
    return Array.from({ length: Number(length) }, () => from.charAt(Math.floor(random() * from.length))).join("");
  });
}
