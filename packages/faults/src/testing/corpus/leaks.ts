import { credKnown } from "./cred-known.ts";
import { credOpaque } from "./cred-opaque.ts";
import { evasion } from "./evasion.ts";
import { hostile } from "./hostile.ts";
import { infra } from "./infra.ts";
import { pii } from "./pii.ts";
import { randomFor } from "./prng.ts";
import { internalId, provider } from "./provider.ts";
import { sql } from "./sql.ts";
import { stack } from "./stack.ts";
import type { LeakTable } from "./table.ts";

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

export type LeakCategory = keyof typeof tables;

/** A text from behind the boundary; none of its canaries may cross. */
export interface Leak {
  readonly id: string;
  readonly category: LeakCategory;
  readonly text: string;
  readonly canaries: readonly string[];
}

function rowsOf(category: LeakCategory, table: LeakTable): readonly Leak[] {
  return Object.entries(table).map(([name, row]) => {
    const id = `${category}/${name}`;
    const [text, ...canaries] = typeof row === "function" ? row(randomFor(id)) : row;
    return { id, category, text, canaries };
  });
}

export const leakCategories = Object.keys(tables) as readonly LeakCategory[];

export function makeLeaks(): readonly Leak[] {
  return leakCategories.flatMap((category) => rowsOf(category, tables[category]));
}

export const leaks: readonly Leak[] = makeLeaks();
