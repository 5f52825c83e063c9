// The forms of values in the configuration file: how each is written, checked and read.

import * as z from "zod";
import type { Rate } from "./types.ts";

/** What a schema says about itself besides its type. */
interface Notes {
  /** What is expected, as a phrase for the sentence "expected …". */
  readonly title?: string;
  readonly examples?: readonly string[];
  /** The value is a secret. */
  readonly writeOnly?: true;
}

const NON_EMPTY = z.string().min(1);

/** A text that is not empty, or one of a pattern. */
export const textField = (description: string, { pattern, ...notes }: Notes & { readonly pattern?: RegExp } = {}) =>
  (pattern === undefined ? NON_EMPTY : z.string().regex(pattern)).meta({ description, ...notes });

/** A switch. */
export const flag = (description: string) => z.boolean().meta({ title: "true or false", description });

/** A whole number from 1 up. Not `z.int()`: if that fails, the checks of the whole file are left out. */
export const count = (description: string) =>
  z.number().min(1).refine(Number.isSafeInteger).meta({ type: "integer", description });

export const choice = <const Names extends readonly [string, ...string[]]>(names: Names, description: string) =>
  z.enum(names).meta({ title: `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`, description });

export const listOption = (description: string, title = "a list of names") =>
  z.array(NON_EMPTY).meta({ title, description });

/** Patterns of the names that callers see, such as `shop__*`. */
export const patterns = (description: string) =>
  listOption(description, "a list of tool names or patterns such as shop__*").default(["*"]);

export const listOr = <Word extends string>(word: Word, title: string, description: string) =>
  z.union([z.literal(word).meta({ title }), z.array(NON_EMPTY)]).meta({ title, description });

export const webUrl = (description: string, notes: Notes = {}) =>
  textField(description, { title: "a URL with http or https", pattern: /^https?:\/\/[^\s/]/, ...notes });

/** The address of a store, with its password. */
export const storeUrl = (title: string, pattern: RegExp, description?: string) =>
  z.string().regex(pattern).meta({ title, description, writeOnly: true });

/** An id that stands in logs and in the audit. */
export const keyId = (description: string) =>
  textField(description, {
    title: "1 to 64 letters, digits, dots, dashes or underscores",
    pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
  });

export const keyHash = (description: string) =>
  textField(description, { title: "64 hexadecimal digits", pattern: /^[0-9a-fA-F]{64}$/ }).transform((hex) =>
    hex.toLowerCase(),
  );

/** An address to listen on: `8080`, `0.0.0.0:8080` or `[::1]:8080`. */
export const listen = (description: string) =>
  textField(description, {
    title: "a port, or host:port",
    pattern: /^(?:(?:\[[0-9a-fA-F:.]+\]|[^\s:/[\]]+):)?\d{1,5}$/,
  }).transform((written) => {
    const at = written.lastIndexOf(":");
    const host = at < 0 ? "127.0.0.1" : written.slice(0, at).replace(/^\[(.*)\]$/, "$1");
    return { host, port: Number(written.slice(at + 1)) };
  });

/** A duration, in milliseconds. */
export const durationOption = (description: string) =>
  textField(description, {
    title: "a duration such as 500ms, 30s, 15m or 1h",
    pattern: /^\d+(?:\.\d+)?(?:ms|s|m|h)$/,
  }).transform(parseDuration);

/** A size, in bytes. */
export const sizeOption = (description: string) =>
  textField(description, { title: "a size such as 512KiB or 4MiB", pattern: /^\d+(?:B|KiB|MiB|GiB)$/ }).transform(
    parseSize,
  );

const RATE_NOTES = { title: "a rate such as 20/s, 100/m or 1000/h" };
const RATE = z.string().regex(/^\d+(?:\.\d+)?\/(?:s|m|h)$/);
const RATE_WITH_BURST = z.strictObject({
  rate: RATE.meta({ ...RATE_NOTES, description: "How many are allowed in a second, a minute or an hour." }),
  burst: count("The maximum number at once. Without it: the rate for one second, at least 1.").optional(),
});

/** How often something may happen. */
export const rateOption = (description: string) =>
  z
    .union([RATE.meta(RATE_NOTES), RATE_WITH_BURST])
    .transform(parseRate)
    .meta({ title: "a rate such as 20/s, or { rate: 20/s, burst: 40 }", description })
    .optional();

const MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
const BYTES = { B: 1, KiB: 1_024, MiB: 1_048_576, GiB: 1_073_741_824 } as const;
const SECONDS = { s: 1, m: 60, h: 3_600 } as const;

/** `15m` in milliseconds. The text has passed the schema. */
export function parseDuration(written: string): number {
  return Math.round(parseAmount(written, MS));
}

/** `4MiB` in bytes. */
export function parseSize(written: string): number {
  return parseAmount(written, BYTES);
}

/** `20/s`, or the same with a burst. Without one the burst is what the rate gives in a second, at least 1. */
export function parseRate(written: string | z.output<typeof RATE_WITH_BURST>): Rate {
  const { rate: speed, burst } = typeof written === "string" ? { rate: written } : written;
  const [number = "", unit = "s"] = speed.split("/");
  const perSecond = Number(number) / SECONDS[unit as keyof typeof SECONDS];
  return { perSecond, burst: burst ?? Math.max(1, Math.ceil(perSecond)) };
}

function parseAmount(written: string, units: Readonly<Record<string, number>>): number {
  const [, number = "", unit = ""] = /^([\d.]+)(.*)$/.exec(written) ?? [];
  return Number(number) * (units[unit] ?? Number.NaN);
}
