import { credKnown } from "./cred-known.ts";
import { credOpaque } from "./cred-opaque.ts";
import { evasion } from "./evasion.ts";
import { hostile } from "./hostile.ts";
import { infra } from "./infra.ts";
import { pii } from "./pii.ts";
import { internalId, provider } from "./provider.ts";
import { sql } from "./sql.ts";
import { stack } from "./stack.ts";
import { type LeakTable, randomFor } from "./values.ts";

const tables = {
  "cred-known": credKnown,
  "cred-opaque": credOpaque,
  evasion,
  pii,
  infra,
  stack,
  sql,
  provider,
  "internal-id": internalId,
  hostile,
} satisfies Readonly<Record<string, LeakTable>>;

/** A category of leaks, such as `cred-known` or `sql`. */
export type LeakCategory = keyof typeof tables;

/** A text that contains internal data. None of its canaries may reach a caller. */
export interface Leak {
  /** The category and a name, such as `sql/postgres-unique`. */
  readonly id: string;
  /** What kind of data leaks. */
  readonly category: LeakCategory;
  /** The text as a driver, library or service writes it. */
  readonly text: string;
  /** The pieces of the text to search for. */
  readonly canaries: readonly string[];
}

function rowsOf(category: LeakCategory, table: LeakTable): readonly Leak[] {
  return Object.entries(table).map(([name, row]) => {
    const id = `${category}/${name}`;
    const [text, ...canaries] = typeof row === "function" ? row(randomFor(id)) : row;
    return { id, category, text, canaries };
  });
}

/** Every category. */
export const leakCategories = Object.keys(tables) as readonly LeakCategory[];

/** Builds the leaks; every call gives the same ones. */
export function makeLeaks(): readonly Leak[] {
  return leakCategories.flatMap((category) => rowsOf(category, tables[category]));
}

/** Texts that must never reach a caller, in ten categories. */
export const leaks: readonly Leak[] = makeLeaks();
