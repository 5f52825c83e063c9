import type { Authored } from "../fault/build.ts";
import { MAX, type Param } from "../fault/fault.ts";
import { PARAM_IN_BRACES } from "../fault/grammar.ts";
import type { FilterOptions } from "../safety/filter-line.ts";
import { toLine } from "../safety/line.ts";
import { containsSecret } from "../safety/secrets.ts";
import type { AnySlot } from "./slot-type.ts";

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type OutsideBrackets<Text extends string> = Text extends `${infer Before}[${string}]${infer After}`
  ? `${Before}${OutsideBrackets<After>}`
  : Text;
type InsideBrackets<Text extends string> = Text extends `${string}[${infer Group}]${infer After}`
  ? Group | InsideBrackets<After>
  : never;

/** The names in braces that are not in brackets. Their values are required. */
export type NeededNames<Text extends string> = NamesIn<OutsideBrackets<Text>>;
/** The names in braces that are in brackets. The part in brackets is left out if the value is missing. */
export type DroppableNames<Text extends string> = NamesIn<InsideBrackets<Text>>;

type Piece = { readonly literal: string } | { readonly name: string };
/** A part of a text. A group, which was in brackets, is left out if one of its values is missing or may not be shown. */
export interface TemplatePart {
  readonly group: boolean;
  readonly pieces: readonly Piece[];
}
/** The text of a reason, split at its brackets and braces. */
export type Template = readonly TemplatePart[];

/** What stands in a message instead of a value that may not be shown. */
export const HIDDEN_VALUE = "(withheld)";

/** Splits a text at its brackets and braces. */
export function parseTemplate(text: string): Template {
  return text.split(/\[([^\]]*)\]/).map((part, index) => ({
    group: index % 2 === 1,
    pieces: part
      .split(PARAM_IN_BRACES)
      .map((piece, place): Piece => (place % 2 === 1 ? { name: piece } : { literal: piece })),
  }));
}

/** A message, and the params that it was composed from. */
export interface Composed {
  readonly message: Authored;
  readonly params: Readonly<Record<string, Param>> | undefined;
}

/** Reads every value through its slot and composes the message. */
export function compose(
  template: Template,
  slots: Readonly<Record<string, AnySlot>>,
  values: Readonly<Record<string, unknown>>,
  filter: FilterOptions,
): Composed {
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
      text += shown ?? HIDDEN_VALUE;
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
    if (message.length <= MAX.message) return message;
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
  return toLine(message, MAX.message) as Authored;
}
