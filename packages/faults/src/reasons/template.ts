import type { Authored } from "../fault/build.ts";
import { MAX, type Param } from "../fault/fault.ts";
import { toLine } from "../safety/line.ts";
import { holdsSecret, type Nets } from "../safety/nets.ts";
import { type AnySlot, WITHHELD } from "./slot-type.ts";

type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Outside<Text extends string> = Text extends `${infer Before}[${string}]${infer After}`
  ? `${Before}${Outside<After>}`
  : Text;
type Inside<Text extends string> = Text extends `${string}[${infer Group}]${infer After}`
  ? Group | Inside<After>
  : never;

/** The names in braces that a sentence cannot do without. */
export type NeededNames<Text extends string> = Names<Outside<Text>>;
/** The names in braces inside brackets: that part of the sentence goes when the value is missing. */
export type DroppableNames<Text extends string> = Names<Inside<Text>>;

type Piece = { readonly literal: string } | { readonly name: string };
/** A sentence in pieces; a group is left out as a whole when one of its values is missing or withheld. */
export type Template = readonly { readonly group: boolean; readonly pieces: readonly Piece[] }[];

/** Cuts a sentence at its brackets and braces. */
export function parseTemplate(text: string): Template {
  return text.split(/\[([^\]]*)\]/).map((part, index) => ({
    group: index % 2 === 1,
    pieces: part
      .split(/\{([A-Za-z][A-Za-z0-9_]*)\}/)
      .map((piece, place): Piece => (place % 2 === 1 ? { name: piece } : { literal: piece })),
  }));
}

/** A message and the params it was composed from. */
export interface Composed {
  readonly message: Authored;
  readonly params: Readonly<Record<string, Param>> | undefined;
}

/** Reads every value through its slot and composes the sentence. */
export function compose(
  template: Template,
  slots: Readonly<Record<string, AnySlot>>,
  values: Readonly<Record<string, unknown>>,
  nets: Nets,
): Composed {
  const params: Record<string, Param> = {};
  let any = false;
  for (const name in slots) {
    const slot = slots[name] as AnySlot;
    if (values[name] === undefined && slot.optional) continue;
    params[name] = slot.read(values[name], nets);
    any = true;
  }
  const parts: { readonly group: boolean; readonly text: string }[] = [];
  for (const { group, pieces } of template) {
    let text = "";
    let whole = true;
    for (const piece of pieces) {
      const shown = "literal" in piece ? piece.literal : showParam(slots, params, piece.name, nets);
      if (shown === undefined) whole = false;
      text += shown ?? WITHHELD;
    }
    if (whole || !group) parts.push({ group, text });
  }
  return { message: authored(fitting(parts)), params: any ? Object.freeze(params) : undefined };
}

/** What stands in the sentence for a param, or undefined when there is nothing to show. */
function showParam(
  slots: Readonly<Record<string, AnySlot>>,
  params: Readonly<Record<string, Param>>,
  name: string,
  nets: Nets,
): string | undefined {
  const param = Object.hasOwn(params, name) ? params[name] : undefined;
  if (param === undefined || param === null) return undefined;
  const shown = (slots[name] as AnySlot).show(param);
  // Quotation marks are changed on the way, so what is shown is looked at once more.
  return shown === "" || holdsSecret(shown, nets.secrets) ? undefined : shown;
}

/** Joins the parts; while they are too long together, the longest that can go goes, so that no value is cut in two. */
function fitting(parts: { readonly group: boolean; readonly text: string }[]): string {
  for (;;) {
    const message = parts.map((part) => part.text).join("");
    if (message.length <= MAX.message) return message;
    const groups = parts.filter((part) => part.group);
    const longest = groups.reduce(
      (most, part) => (part.text.length > most.text.length ? part : most),
      groups[0] ?? NONE,
    );
    if (longest === NONE) return message;
    parts.splice(parts.indexOf(longest), 1);
  }
}

const NONE = { group: true, text: "" } as const;

/** Marks a composed sentence as authored: one line, within the limit of a message. */
export function authored(message: string): Authored {
  return toLine(message, MAX.message) as Authored;
}
