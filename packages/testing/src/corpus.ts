import benignRows from "./corpora/benign.json" with { type: "json" };
import leakRows from "./corpora/leaks.json" with { type: "json" };
import { type BenignRow, fillTemplate, type LeakCategory, type LeakTemplate } from "./templates.ts";

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

/** A text that is meant for the caller. It must arrive unchanged. */
export interface Benign {
  /** The group and a number, such as `dates/3`. */
  readonly id: string;
  /** The text. */
  readonly text: string;
  /** The public MCP server that says it; undefined for texts of our own. */
  readonly source?: string;
}

/** Texts that must never reach a caller, in ten categories. */
export const leaks: readonly Leak[] = makeLeaks();

/** Texts that must reach the caller unchanged: error messages of public MCP servers, and our own. */
export const benign: readonly Benign[] = makeBenign();

/** Builds the leaks; every call gives the same ones. */
export function makeLeaks(): readonly Leak[] {
  return (leakRows as readonly LeakTemplate<LeakCategory>[]).map((row) => {
    const id = `${row.set}/${row.name}`;
    const [text = "", ...canaries] = fillTemplate(row, id);
    return { id, category: row.set, text, canaries };
  });
}

function makeBenign(): readonly Benign[] {
  const counts = new Map<string, number>();
  return (benignRows as readonly BenignRow[]).map(({ set, text, source }) => {
    const group = source ?? set;
    const count = (counts.get(group) ?? 0) + 1;
    counts.set(group, count);
    return { id: `${group}/${count}`, text, ...(source === undefined ? {} : { source }) };
  });
}
