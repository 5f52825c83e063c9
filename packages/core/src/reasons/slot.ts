import { cleanName, cleanText } from "../fault/clean.ts";
import { FAULT_LIMITS, type Scalar } from "../fault/fault.ts";
import { ID } from "../wire/ids.ts";
import { formatDuration, inQuotes } from "./template.ts";
import type { AnySlot, Slot, SlotValue } from "./types.ts";

// Each slot is exported by itself, so that a bundle contains only those that are used.

/** A slot for texts of a fixed form. A value is shown if it matches the pattern and contains no known secret. */
function textOfForm(
  type: string,
  pattern: RegExp,
  options: { max?: number | keyof typeof FAULT_LIMITS; bare?: boolean; refuse?: RegExp } = {},
): Slot<string> {
  // Limits are given by name: bundlers keep a call that reads `MAX`, even if its result is not used.
  const max = typeof options.max === "number" ? options.max : FAULT_LIMITS[options.max ?? "name"];
  return {
    type,
    optional: false,
    read(value, filter) {
      if (typeof value !== "string" || value.length > max || !pattern.test(value)) return null;
      if (options.refuse?.test(value) === true) return null;
      return value === "" || cleanName(value, max, filter) === value ? value : null;
    },
    show: options.bare === true ? String : inQuotes,
  };
}

function numeric(type: string, accepts: (value: number) => boolean, show: (value: number) => string): Slot<number> {
  return {
    type,
    optional: false,
    read: (value) => (typeof value === "number" && accepts(value) ? value + 0 : null),
    show: (param) => show(param as number),
  };
}

/** A whole number. */
export const integer: Slot<number> = /* @__PURE__ */ numeric("integer", (value) => Number.isSafeInteger(value), String);
/** Any finite number. */
export const number: Slot<number> = /* @__PURE__ */ numeric("number", (value) => Number.isFinite(value), String);
/** A duration in milliseconds. The message shows it in the largest unit that fits. */
export const duration: Slot<number> = /* @__PURE__ */ numeric(
  "duration",
  (ms) => Number.isFinite(ms) && ms >= 0,
  formatDuration,
);
/** A boolean. */
export const boolean: Slot<boolean> = {
  type: "boolean",
  optional: false,
  read: (value) => (typeof value === "boolean" ? value : null),
  show: String,
};
/** An ISO 8601 date, with or without a time. */
export const date: Slot<string> = /* @__PURE__ */ textOfForm(
  "date",
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/,
  { bare: true },
);
/** A JSON Pointer into data whose structure is public. */
export const pointer: Slot<string> = /* @__PURE__ */ textOfForm("pointer", /^(?:\/[A-Za-z0-9_$.~-]{0,64}){0,16}$/, {
  max: "pointer",
});
/** A UUID. */
export const uuid: Slot<string> = /* @__PURE__ */ textOfForm(
  "uuid",
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  { bare: true },
);
/** An id that was made with `formatId`. */
export const id: Slot<string> = /* @__PURE__ */ textOfForm("id", ID, { bare: true });
/** A method name such as `tools/call`. */
export const method: Slot<string> = /* @__PURE__ */ textOfForm(
  "method",
  /^[a-z$][A-Za-z_]{0,31}(?:\/[A-Za-z_]{1,31}){0,3}$/,
);
/** A media type such as `application/json`. */
export const media: Slot<string> = /* @__PURE__ */ textOfForm(
  "media",
  /^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,60}\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,60}$/,
  { max: 128 },
);
/** An absolute URI without userinfo and without parameters that are named like credentials. */
export const uri: Slot<string> = /* @__PURE__ */ textOfForm("uri", /^[A-Za-z][A-Za-z0-9+.-]{0,31}:[!-~]{1,199}$/, {
  max: "paramText",
  // Browsers' parsers find userinfo after `https:` with any number of slashes, even backslashes.
  refuse:
    /^[^/?#]{1,40}:\/\/[^/?#]{0,220}@|^(?:https?|wss?|ftp):[\\/]{0,220}[^\\/?#]{0,220}@|[?&;#][^=&;#]{0,40}(?:token|key|secret|sig|passw|pwd|auth|credential|session)[^=&;#]{0,40}=/i,
});

/** Options of `slot.pattern`. */
export interface PatternOptions {
  /** The maximum length of a value, at most 200. @default 64 */
  readonly max?: number;
  /** Shows the value without quotation marks. Use it for codes and numbers, not for text. @default false */
  readonly bare?: boolean;
}

/**
 * A text that matches a regular expression, such as an order number. The whole value has to match, with or without
 * anchors; write `^` and `$` anyway, so that the next reader sees it. The pattern filter is not applied: allow only what you
 * want to show.
 *
 * @example
 * const orderNumber = slot.pattern(/^[A-Z]{2}-\d{6}$/, { bare: true });
 */
/* @__NO_SIDE_EFFECTS__ */
export function pattern(regex: RegExp, options: PatternOptions = {}): Slot<string> {
  // The other flags move the start of a match, or let `^` and `$` match inside of the value.
  const flags = regex.flags.replaceAll(/[dgmy]/g, "");
  const whole = new RegExp(`^(?:${regex.source})$`, flags);
  const max = Math.min(options.max ?? FAULT_LIMITS.name, FAULT_LIMITS.paramText);
  return textOfForm(`text like ${regex.source}`, whole, { max, bare: options.bare === true });
}

/** One of the given values. The message shows it without quotation marks. */
/* @__NO_SIDE_EFFECTS__ */
export function oneOf<const T extends string>(known: readonly T[]): Slot<T> {
  return {
    type: `one of ${known.join(", ")}`,
    choices: known,
    optional: false,
    read: (value) => ((known as readonly unknown[]).includes(value) ? value : null),
    show: String,
  };
}

/** Any text, cut to a length of at most 200 characters. It is filtered, and shown in quotation marks. */
/* @__NO_SIDE_EFFECTS__ */
export function text(max: number): Slot<string> {
  const limit = Math.min(max, FAULT_LIMITS.paramText);
  return {
    type: `text up to ${limit}`,
    optional: false,
    read: (value, filter) => (value === "" ? "" : (cleanText(value, limit, filter) ?? null)),
    show: inQuotes,
  };
}

/** The first items of a list, with its holes. Null if it is not a list, or if reading it throws. */
function firstValues(values: unknown, max: number): unknown[] | null {
  try {
    return Array.isArray(values)
      ? Array.from({ length: Math.min(values.length, max) }, (_, i): unknown => values[i])
      : null;
  } catch {
    return null;
  }
}

/** A list of values of one slot. The first ten are shown. */
/* @__NO_SIDE_EFFECTS__ */
export function list<S extends AnySlot>(of: S): Slot<readonly SlotValue<S>[]> {
  return {
    type: `list of ${of.type}`,
    optional: false,
    read(values, filter) {
      const items = firstValues(values, FAULT_LIMITS.list);
      return items && Object.freeze(items.map((value) => of.read(value as SlotValue<S>, filter) as Scalar));
    },
    show: (param) =>
      (param as readonly Scalar[])
        .filter((item) => item !== null)
        .map((item) => of.show(item))
        .join(", "),
  };
}

/** The same slot for a value that may be missing. In the text its name has to stand in brackets: `[ of {name}]`. */
/* @__NO_SIDE_EFFECTS__ */
export function optional<T>(of: Slot<T>): Slot<T, true> {
  return { ...of, optional: true };
}
