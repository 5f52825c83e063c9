import { cleanName, cleanText } from "../fault/clean.ts";
import { MAX, type Scalar } from "../fault/fault.ts";
import { ID } from "../fault/id.ts";
import { quoted, showDuration } from "./show.ts";
import type { AnySlot, Slot, SlotValue } from "./slot-type.ts";

// Each slot is an export of its own, so that a bundle holds only the ones it uses.

/** Grammar slots: the value is shown when it fits the pattern and holds no known secret. */
function grammar(
  type: string,
  pattern: RegExp,
  options: { max?: number; bare?: boolean; refuse?: RegExp } = {},
): Slot<string> {
  const max = options.max ?? MAX.name;
  return {
    type,
    optional: false,
    read(value, nets) {
      if (typeof value !== "string" || value.length > max || !pattern.test(value)) return null;
      if (options.refuse?.test(value) === true) return null;
      return value === "" || cleanName(value, max, nets) === value ? value : null;
    },
    show: options.bare === true ? String : quoted,
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

/** A GTIN: 8, 12, 13 or 14 digits. */
export const gtin: Slot<string> = /* @__PURE__ */ grammar("gtin", /^(?:\d{8}|\d{12,14})$/, { bare: true });
/** A whole number. */
export const integer: Slot<number> = /* @__PURE__ */ numeric("integer", Number.isSafeInteger, String);
/** Any finite number. */
export const number: Slot<number> = /* @__PURE__ */ numeric("number", Number.isFinite, String);
/** A length of time in milliseconds, shown in the unit that reads best. */
export const duration: Slot<number> = /* @__PURE__ */ numeric(
  "duration",
  (ms) => Number.isFinite(ms) && ms >= 0,
  showDuration,
);
/** True or false. */
export const boolean: Slot<boolean> = {
  type: "boolean",
  optional: false,
  read: (value) => (typeof value === "boolean" ? value : null),
  show: String,
};
/** An ISO 8601 date, with or without a time. */
export const date: Slot<string> = /* @__PURE__ */ grammar(
  "date",
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/,
  { bare: true },
);
/** A JSON Pointer into something whose shape is public. */
export const pointer: Slot<string> = /* @__PURE__ */ grammar("pointer", /^(?:\/[A-Za-z0-9_$.~-]{0,64}){0,16}$/, {
  max: MAX.pointer,
});
/** An id that this system minted. */
export const id: Slot<string> = /* @__PURE__ */ grammar("id", ID, { bare: true });
/** A method name such as `tools/call`. */
export const method: Slot<string> = /* @__PURE__ */ grammar(
  "method",
  /^[a-z$][A-Za-z_]{0,31}(?:\/[A-Za-z_]{1,31}){0,3}$/,
);
/** A media type such as `application/json`. */
export const media: Slot<string> = /* @__PURE__ */ grammar(
  "media",
  /^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,60}\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,60}$/,
  { max: 128 },
);
/** An absolute URI without userinfo and without parameters that are named like credentials. */
export const uri: Slot<string> = /* @__PURE__ */ grammar("uri", /^[A-Za-z][A-Za-z0-9+.-]{0,31}:[!-~]{1,199}$/, {
  max: MAX.paramText,
  // Browsers' parsers find userinfo after `https:` with any number of slashes, even backslashes.
  refuse:
    /^[^/?#]{1,40}:\/\/[^/?#]{0,220}@|^(?:https?|wss?|ftp):[\\/]{0,220}[^\\/?#]{0,220}@|[?&;#][^=&;#]{0,40}(?:token|key|secret|sig|passw|pwd|auth|credential|session)[^=&;#]{0,40}=/i,
});

/** One of a set that is known beforehand, shown bare. */
/* @__NO_SIDE_EFFECTS__ */
export function oneOf<const T extends string>(known: readonly T[]): Slot<T> {
  return {
    type: `one of ${known.join(", ")}`,
    optional: false,
    read: (value) => ((known as readonly unknown[]).includes(value) ? value : null),
    show: String,
  };
}

/** Any text up to a length: always shown as a quotation and looked at by both nets. */
/* @__NO_SIDE_EFFECTS__ */
export function text(max: number): Slot<string> {
  const limit = Math.min(max, MAX.paramText);
  return {
    type: `text up to ${limit}`,
    optional: false,
    read: (value, nets) => (value === "" ? "" : (cleanText(value, limit, nets) ?? null)),
    show: quoted,
  };
}

/** The first items of a list, holes included; null for what is none or throws when it is looked at. */
function itemsOf(values: unknown, most: number): unknown[] | null {
  try {
    return Array.isArray(values)
      ? Array.from({ length: Math.min(values.length, most) }, (_, i): unknown => values[i])
      : null;
  } catch {
    return null;
  }
}

/** Up to ten values of one slot. */
/* @__NO_SIDE_EFFECTS__ */
export function list<S extends AnySlot>(of: S): Slot<readonly SlotValue<S>[]> {
  return {
    type: `list of ${of.type}`,
    optional: false,
    read(values, nets) {
      const items = itemsOf(values, MAX.list);
      return items && Object.freeze(items.map((value) => of.read(value as SlotValue<S>, nets) as Scalar));
    },
    show: (param) =>
      (param as readonly Scalar[])
        .filter((item) => item !== null)
        .map((item) => of.show(item))
        .join(", "),
  };
}

/** The same slot for a value that may be missing; its name may then not stand in the sentence. */
/* @__NO_SIDE_EFFECTS__ */
export function optional<T>(of: Slot<T>): Slot<T, true> {
  return { ...of, optional: true };
}
