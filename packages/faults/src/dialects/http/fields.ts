// Structured fields (RFC 9651), as far as rate limits need them; lists and the older dictionaries are read alike.

/** A bare value of a structured field. */
export type Bare = string | number | boolean;

/** One member of a list: `"burst";r=0;t=30`, or of a dictionary: `remaining=0`. */
export interface Item {
  /** The key, in a dictionary. */
  readonly key?: string;
  readonly value: Bare;
  readonly params: Readonly<Record<string, Bare>>;
}

const LONGEST = 4_096;
const MOST = 50;
/** Whole numbers have at most fifteen digits. */
const LARGEST = 999_999_999_999_999;

const VALUES: readonly { readonly form: RegExp; readonly read: (text: string) => Bare }[] = [
  { form: /"(?:[ !#-[\]-~]|\\["\\])*"/y, read: (text) => text.slice(1, -1).replaceAll(/\\(.)/g, "$1") },
  { form: /-?\d{1,15}(?:\.\d{1,3})?(?![\d.])/y, read: Number },
  { form: /\?[01]/y, read: (text) => text === "?1" },
  { form: /:[A-Za-z0-9+/=]*:/y, read: (text) => text.slice(1, -1) },
  { form: /[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*/y, read: String },
];
const KEY = /[a-z*][a-z0-9_.*-]*/y;
const KEYED = /([a-z*][a-z0-9_.*-]*)[ \t]*=[ \t]*/y;
const SEMICOLON = /[ \t]*;[ \t]*/y;
const COMMA = /[ \t]*,[ \t]*/y;

/** The members of a field, or none when it is malformed: a broken field says nothing. */
export function readItems(field: string | undefined): readonly Item[] {
  if (field === undefined || field.length > LONGEST) return [];
  const text = field.trim();
  let at = 0;
  const take = (form: RegExp): string | undefined => {
    form.lastIndex = at;
    const found = form.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const takeValue = (): Bare | undefined => {
    for (const { form, read } of VALUES) {
      const found = take(form);
      if (found !== undefined) return read(found);
    }
    return undefined;
  };
  const items: Item[] = [];
  while (at < text.length && items.length < MOST) {
    const key = take(KEYED)?.replace(/[ \t]*=[ \t]*$/, "");
    const value = takeValue();
    if (value === undefined) return [];
    const params: Record<string, Bare> = {};
    while (take(SEMICOLON) !== undefined) {
      const name = take(KEY);
      if (name === undefined) return [];
      const given = text[at] === "=";
      if (given) at += 1;
      const param = given ? takeValue() : true;
      if (param === undefined) return [];
      params[name] = param;
    }
    items.push(key === undefined ? { value, params } : { key, value, params });
    if (at === text.length) return items;
    if (take(COMMA) === undefined || at === text.length) return [];
  }
  return items;
}

/** A named member with its parameters; what is undefined is left out, and numbers are kept within the form. */
export function writeItem(name: string, params: Readonly<Record<string, string | number | undefined>>): string {
  let out = quoted(name);
  for (const [key, value] of Object.entries(params)) {
    if (typeof value === "number") out += `;${key}=${Math.min(value, LARGEST)}`;
    else if (value !== undefined && /^[ -~]+$/.test(value)) out += `;${key}=${quoted(value)}`;
  }
  return out;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}
