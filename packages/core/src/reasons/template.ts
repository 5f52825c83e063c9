import type { Authored } from "../fault/build.ts";
import { FAULT_LIMITS, PARAM_IN_BRACES, type Param } from "../fault/fault.ts";
import { toLine } from "../safety/line.ts";
import { containsSecret } from "../safety/secrets.ts";
import type { FilterOptions } from "../safety/show-line.ts";
import type { AnySlot } from "./types.ts";

type Piece = { readonly literal: string } | { readonly name: string };
/** A part of a text. A group, which was in brackets, is left out if one of its values is missing or may not be shown. */
export interface TemplatePart {
  readonly group: boolean;
  readonly pieces: readonly Piece[];
}
/** The text of a reason, split at its brackets and braces. */
export type MessageTemplate = readonly TemplatePart[];

/** What stands in a message instead of a value that may not be shown. */
export const WITHHELD_VALUE = "(withheld)";

export function parseTemplate(text: string): MessageTemplate {
  return text.split(/\[([^\]]*)\]/).map((part, index) => ({
    group: index % 2 === 1,
    pieces: part
      .split(PARAM_IN_BRACES)
      .map((piece, place): Piece => (place % 2 === 1 ? { name: piece } : { literal: piece })),
  }));
}

export interface ComposedMessage {
  readonly message: Authored;
  readonly params: Readonly<Record<string, Param>> | undefined;
}

export function composeMessage(
  template: MessageTemplate,
  slots: Readonly<Record<string, AnySlot>>,
  values: Readonly<Record<string, unknown>>,
  filter: FilterOptions,
): ComposedMessage {
  const params: Record<string, Param> = {};
  let any = false;
  for (const name in slots) {
    const slot = slots[name] as AnySlot;
    if (values[name] === undefined && slot.optional) continue;
    params[name] = slot.read(values[name], filter);
    any = true;
  }
  const parts: { readonly group: boolean; readonly text: string }[] = [];
  for (const { group, pieces } of template) {
    let text = "";
    let whole = true;
    for (const piece of pieces) {
      const shown = "literal" in piece ? piece.literal : showParam(slots, params, piece.name, filter);
      if (shown === undefined) whole = false;
      text += shown ?? WITHHELD_VALUE;
    }
    if (whole || !group) parts.push({ group, text });
  }
  return { message: authored(joinWithinLimit(parts)), params: any ? Object.freeze(params) : undefined };
}

/** A param as it stands in the message. Undefined if it may not be shown. */
function showParam(
  slots: Readonly<Record<string, AnySlot>>,
  params: Readonly<Record<string, Param>>,
  name: string,
  filter: FilterOptions,
): string | undefined {
  const param = Object.hasOwn(params, name) ? params[name] : undefined;
  if (param === undefined || param === null) return undefined;
  const shown = (slots[name] as AnySlot).show(param);
  // Replacing quotation marks can make a secret out of a text that did not contain it.
  return shown === "" || containsSecret(shown, filter.secrets) ? undefined : shown;
}

/** Joins the parts. If they are too long, the longest groups are left out, so that no value is cut. */
function joinWithinLimit(parts: { readonly group: boolean; readonly text: string }[]): string {
  for (;;) {
    const message = parts.map((part) => part.text).join("");
    if (message.length <= FAULT_LIMITS.message) return message;
    const groups = parts.filter((part) => part.group);
    const longest = groups.reduce(
      (best, part) => (part.text.length > best.text.length ? part : best),
      groups[0] ?? NO_GROUP,
    );
    if (longest === NO_GROUP) return message;
    parts.splice(parts.indexOf(longest), 1);
  }
}

const NO_GROUP = { group: true, text: "" } as const;

/** Marks a composed sentence as authored: one line within the limit of a message. */
export function authored(message: string): Authored {
  return toLine(message, FAULT_LIMITS.message) as Authored;
}

/** A value in quotation marks. Quotation marks inside it are replaced, so that it cannot end the quotation. */
export function inQuotes(param: Exclude<Param, null>): string {
  return `"${String(param).replaceAll('"', "'")}"`;
}

/** Units of time. Each is used from twice its length on, or if the time is a whole number of them. */
const TIME_UNITS = [
  { ms: 86_400_000, name: "day" },
  { ms: 3_600_000, name: "hour" },
  { ms: 60_000, name: "minute" },
  { ms: 1_000, name: "second" },
] as const;

/**
 * Milliseconds in a unit that people use: 90,000 is `90 seconds` and 120,000 is `2 minutes`. It is rounded up, since a wait
 * must not be shorter than it should be.
 */
export function formatDuration(ms: number): string {
  for (const { ms: unit, name } of TIME_UNITS) {
    if (ms < unit || (ms < 2 * unit && ms % unit !== 0 && unit !== 1_000)) continue;
    const units = ms / unit;
    const shown = units < 10 ? Math.ceil(units * 10) / 10 : Math.ceil(units);
    return shown === 1 ? `1 ${name}` : `${shown} ${name}s`;
  }
  return `${Math.ceil(ms)} ms`;
}
