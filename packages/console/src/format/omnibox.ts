// What was typed or pasted into the box at the top: an id, a name, or words. Decided by form alone.
import type { Found } from "../api/types.ts";

/** What a text is by its form. */
export type OmniboxForm =
  /** An id of the gateway: an incident, or an approval. */
  | { readonly type: "id"; readonly id: string }
  /** A fingerprint; with 32 digits it may also be a trace. */
  | { readonly type: "hex"; readonly hex: string; readonly isTrace: boolean }
  | { readonly type: "reason"; readonly reason: string }
  | { readonly type: "tool"; readonly tool: string }
  | { readonly type: "caller"; readonly caller: string }
  /** None of these: something to look for. */
  | { readonly type: "words"; readonly text: string };

/** Longer texts are read up to here. */
const MAX_READ = 10_000;

/** Letters that people misread in Crockford's alphabet. */
const MISREAD: Readonly<Record<string, string>> = { I: "1", L: "1", O: "0" };

/** The forms inside a longer text, in the order in which they are looked for. */
const FORMS: readonly {
  /** What it captures is the value. */
  readonly pattern: RegExp;
  readonly make: (value: string, isWhole: boolean) => OmniboxForm | undefined;
}[] = [
  {
    pattern: /(?<![0-9a-z_])([0-7oil][0-9a-z]{25})(?![0-9a-z_])/i,
    make: (value) => {
      const id = value.toUpperCase().replaceAll(/[ILO]/g, (letter) => MISREAD[letter] ?? letter);
      return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id) && /\d/.test(value) ? { type: "id", id } : undefined;
    },
  },
  {
    // Inside a sentence it needs a digit: a few words are made of these letters alone.
    pattern: /(?<![0-9a-z_:-])([0-9a-f]{8,64})(?![0-9a-z_-])/i,
    make: (value, isWhole) =>
      isWhole || (/\d/.test(value) && /[a-f]/i.test(value))
        ? { type: "hex", hex: value.toLowerCase(), isTrace: value.length === 32 }
        : undefined,
  },
  {
    // Neither a part of a path nor of an address.
    pattern: /(?<![\w/.:-])([a-z][a-z0-9_-]*\/[a-z][a-z0-9_-]*)(?![\w/-])/,
    make: (reason, isWhole) =>
      isWhole || (reason.includes("_") && !reason.includes("__")) ? { type: "reason", reason } : undefined,
  },
  {
    pattern: /(?<![\w.-])([\w.-]*[a-z0-9]__[\w.-]*\w)/i,
    make: (tool) => ({ type: "tool", tool }),
  },
  { pattern: /\b(sha256:[0-9a-f]{8,64})\b/i, make: (caller) => ({ type: "caller", caller: caller.toLowerCase() }) },
];

/** Reads a text. Surrounding words are cut away. Undefined: it is empty. */
export function readOmnibox(typed: string): OmniboxForm | undefined {
  const text = typed.slice(0, MAX_READ).trim();
  if (text === "") return undefined;
  if (text.startsWith("[") || /^sha256:\S+$/.test(text)) return { type: "caller", caller: text };
  for (const { pattern, make } of FORMS) {
    const value = pattern.exec(text)?.[1];
    const form = value === undefined ? undefined : make(value, value === text);
    if (form !== undefined) return form;
  }
  return { type: "words", text };
}

/** The text to look for at the API. */
export function findQuery(form: OmniboxForm): string {
  switch (form.type) {
    case "id":
      return form.id;
    case "hex":
      return form.hex;
    case "reason":
      return form.reason;
    case "tool":
      return form.tool;
    case "caller":
      return form.caller;
    case "words":
      return form.text.slice(0, 256);
    default:
      return form satisfies never;
  }
}

/** A page and its query. */
export interface OmniboxTarget {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** Where something that was found is shown. */
const FOUND_TARGETS = {
  incident: (id) => ({ path: `i/${encodeURIComponent(id)}` }),
  approval: (id) => ({ path: `approvals/${encodeURIComponent(id)}` }),
  cause: (id) => ({ path: `c/${encodeURIComponent(id)}` }),
  tool: (id) => ({ path: "incidents", query: { tool: id } }),
  reason: (id) => ({ path: "incidents", query: { reason: id } }),
  caller: (id) => ({ path: `callers/${encodeURIComponent(id)}` }),
  upstream: (id) => ({ path: `upstreams/${encodeURIComponent(id)}` }),
} as const satisfies Record<Found["type"], (id: string) => OmniboxTarget>;

/** Where something that was found is shown. */
export function targetOfFound({ type, id }: Pick<Found, "type" | "id">): OmniboxTarget {
  return FOUND_TARGETS[type](id);
}

/** Where a form leads if nothing was found for it; undefined: words lead nowhere. */
export function targetOfForm(form: OmniboxForm): OmniboxTarget | undefined {
  switch (form.type) {
    case "id":
      return FOUND_TARGETS.incident(form.id);
    case "hex":
      return FOUND_TARGETS.cause(form.hex);
    case "reason":
      return FOUND_TARGETS.reason(form.reason);
    case "tool":
      return FOUND_TARGETS.tool(form.tool);
    case "caller":
      return FOUND_TARGETS.caller(form.caller);
    case "words":
      return undefined;
    default:
      return form satisfies never;
  }
}
