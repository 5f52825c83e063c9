import type { Maker, Random } from "./prng.ts";

/** The text, then every piece of it that must not come out on the other side. */
export type LeakRow = readonly [text: string, ...canaries: readonly string[]];

/** Rows by name; a row with generated values is a function of the generator. */
export type LeakTable = Readonly<Record<string, LeakRow | ((random: Random) => LeakRow)>>;

/** A row whose `{0}`, `{1}` … are generated; each of them is a canary, `fixed` are the others. */
export const filled =
  (text: string, makers: readonly Maker[], ...fixed: readonly string[]) =>
  (random: Random): LeakRow => {
    const values = makers.map((maker) => maker(random));
    return [text.replace(/\{(\d)\}/g, (_, index) => values[Number(index)] ?? ""), ...values, ...fixed];
  };
