// The arguments of a call, from their JSON text: every number as it was written, and nothing left out.
import type { Approval } from "../../api/types.ts";
import { type JsonTree, readJsonTree } from "../../format/json-tree.ts";

/** One argument, as a person reads it. */
export interface CallArgument {
  readonly name: string;
  readonly tree: JsonTree;
  /** The value in words that cannot be mistaken: a text that looks like a number has its quotation marks. */
  readonly text: string;
  /** It is folded at first, and has to be opened before the call can be approved. */
  readonly isLong: boolean;
}

/** Longer arguments are folded, in bytes. */
const FOLDED_FROM = 1_024;

/** The arguments in the order of the text. A text that is no object is one argument without a name. */
export function readCallArguments(text: string): readonly CallArgument[] {
  const tree = readJsonTree(text);
  if (tree?.type === "object") return tree.entries.map(([name, value]) => toArgument(name, value, showValue(value)));
  return [
    tree === undefined ? toArgument("", { type: "string", value: text }, text) : toArgument("", tree, showValue(tree)),
  ];
}

function toArgument(name: string, tree: JsonTree, text: string): CallArgument {
  return { name, tree, text, isLong: new TextEncoder().encode(name + text).length > FOLDED_FROM };
}

/** A value for people: texts without quotation marks if they cannot be taken for anything else, objects by line. */
function showValue(tree: JsonTree): string {
  if (tree.type === "string") return isBareWord(tree.value) ? tree.value : JSON.stringify(tree.value);
  return writeArgument(tree, { indent: 2 });
}

/** What would be read as a number, a literal, JSON, or as nothing at all without its quotation marks. */
const AMBIGUOUS = /^(?:true|false|null|-?[\d.].*|["[{].*|\s.*|.*\s|)$/s;

function isBareWord(text: string): boolean {
  return !AMBIGUOUS.test(text);
}

/** The JSON text of a tree; numbers and literals are those of the text that it was read from. */
export function writeArgument(
  tree: JsonTree,
  { indent = 0 }: { /** @default 0 */ readonly indent?: number } = {},
  level = 1,
): string {
  switch (tree.type) {
    case "plain":
      return tree.text;
    case "string":
      return JSON.stringify(tree.value);
    case "array":
      return foldArgument(
        "[]",
        tree.items.map((item) => writeArgument(item, { indent }, level + 1)),
        { indent, level },
      );
    case "object": {
      const space = indent > 0 ? " " : "";
      const members = tree.entries.map(
        ([name, value]) => `${JSON.stringify(name)}:${space}${writeArgument(value, { indent }, level + 1)}`,
      );
      return foldArgument("{}", members, { indent, level });
    }
    default:
      return tree satisfies never;
  }
}

function foldArgument(
  [open = "", close = ""]: string,
  parts: readonly string[],
  { indent, level }: { readonly indent: number; readonly level: number },
): string {
  if (indent === 0 || parts.length === 0) return `${open}${parts.join(",")}${close}`;
  const pad = " ".repeat(indent * level);
  return `${open}\n${parts.map((part) => pad + part).join(",\n")}\n${pad.slice(indent)}${close}`;
}

/** The first arguments in a line, for lists. Long values are cut there: nobody decides in a list. */
export function summarizeArguments(text: string, most = 3): readonly (readonly [name: string, value: string])[] {
  if (text === "") return [];
  return readCallArguments(text)
    .slice(0, most)
    .map(({ name, tree }) => [name, shorten(tree.type === "string" ? showValue(tree) : writeArgument(tree))] as const);
}

const MAX_IN_LINE = 40;

function shorten(text: string): string {
  return text.length > MAX_IN_LINE ? `${text.slice(0, MAX_IN_LINE)}…` : text;
}

/** What was decided, whatever has become of the approval since; undefined if nobody decided. */
export function readDecision({ decision, state, decidedAt }: Approval): "approved" | "denied" | undefined {
  if (decidedAt === undefined) return undefined;
  if (decision !== undefined) return decision;
  if (state === "denied") return "denied";
  return state === "approved" || state === "consumed" ? "approved" : undefined;
}

/** The numbers that were approved before for an argument. */
export interface ApprovedNumbers {
  /** The smallest and the largest, as they were written. */
  readonly min: string;
  readonly max: string;
  /** Whether the present number is outside of them. */
  readonly isOutside: boolean;
}

/** The range of an argument in calls that were approved before; undefined if it is no number, or never was one. */
export function findApprovedNumbers(argument: CallArgument, decided: readonly Approval[]): ApprovedNumbers | undefined {
  const present = readNumber(argument.tree);
  if (present === undefined) return undefined;
  const before = decided
    .filter((one) => readDecision(one) === "approved" && one.arguments !== "")
    .flatMap((one) => readCallArguments(one.arguments).filter(({ name }) => name === argument.name))
    .flatMap(({ tree }) => readNumber(tree) ?? [])
    .toSorted(compareNumbers);
  const [min, max] = [before[0], before.at(-1)];
  if (min === undefined || max === undefined) return undefined;
  return { min, max, isOutside: compareNumbers(present, min) < 0 || compareNumbers(present, max) > 0 };
}

function readNumber(tree: JsonTree): string | undefined {
  return tree.type === "plain" && /^-?\d/.test(tree.text) ? tree.text : undefined;
}

const WHOLE_NUMBER = /^-?\d+$/;

/** Whole numbers of any length are compared exactly. */
function compareNumbers(one: string, other: string): number {
  if (!WHOLE_NUMBER.test(one) || !WHOLE_NUMBER.test(other)) return Number(one) - Number(other);
  const [left, right] = [BigInt(one), BigInt(other)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** `approved before: 12.50 to 30.00`. */
export function approvedBefore({ min, max }: ApprovedNumbers): string {
  return `approved before: ${min === max ? min : `${min} to ${max}`}`;
}
