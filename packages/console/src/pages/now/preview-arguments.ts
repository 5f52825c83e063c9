// The first arguments of a call that waits, short enough for a row.

/** An argument. */
export interface ArgumentPreview {
  readonly name: string;
  readonly value: string;
}

const MOST = 3;
const LONGEST = 40;

/** The first arguments of a call. Numbers are as they were written; what is nested is only named. */
export function previewArguments(text: string): readonly ArgumentPreview[] {
  try {
    const read: unknown = JSON.parse(text, exactNumber);
    if (typeof read !== "object" || read === null || Array.isArray(read)) return [];
    return Object.entries(read)
      .slice(0, MOST)
      .map(([name, value]) => ({ name: cut(name), value: cut(shortValue(value)) }));
  } catch {
    return [];
  }
}

/** Numbers as they stand in the text: 249.00 stays 249.00. Browsers that do not tell give the number. */
function exactNumber(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === "number" ? (context?.source ?? String(value)) : value;
}

function shortValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.length}]`;
  return typeof value === "object" && value !== null ? "{…}" : String(value);
}

const cut = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
