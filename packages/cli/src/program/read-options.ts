import { parseArgs } from "node:util";
import { printableLine } from "../terminal/printable.ts";
import { cutTo } from "../terminal/width.ts";
import type { Given, OptionSpec } from "./command.ts";
import { isAddress } from "./printable-url.ts";

/** Why a command line cannot be carried out. */
export interface Refusal {
  /** One sentence. */
  readonly message: string;
  /** An option or a command that was perhaps meant is near to this name. */
  readonly unknown?: string;
}

/** How to read arguments. */
export interface ReadOptions {
  readonly specs: Readonly<Record<string, OptionSpec>>;
  /** Where the rest is taken as it is: at the first positional, at the first that is not an address, or nowhere. */
  readonly restFrom?: "first" | "program";
}

type Token = NonNullable<ReturnType<typeof parseTokens>>[number];

/** Reads the options of a command line. Values of options never stand in a refusal: they may be secrets. */
export function readOptions(args: readonly string[], { specs, restFrom }: ReadOptions): Given | Refusal {
  const tokens = parseTokens(args, specs);
  const end = restFrom === undefined ? undefined : restOf(tokens, restFrom);
  const own = end === undefined ? tokens : tokens.slice(0, tokens.indexOf(end));
  const options: Record<string, string | boolean | string[]> = {};
  for (const token of own) {
    if (token.kind !== "option") continue;
    const spec = Object.hasOwn(specs, token.name) ? specs[token.name] : undefined;
    if (spec === undefined) return { message: `There is no option ${shown(token.rawName)}.`, unknown: token.rawName };
    const value = optionValue(token, spec);
    if (typeof value === "object") return value;
    const before = options[token.name];
    options[token.name] = spec.multiple === true ? [...(Array.isArray(before) ? before : []), String(value)] : value;
  }
  const rest = end === undefined ? [] : args.slice(end.kind === "positional" ? end.index : end.index + 1);
  return {
    positionals: [...own.flatMap((one) => (one.kind === "positional" ? [unmark(one.value)] : [])), ...rest],
    options,
  };
}

/** A name or value of the command line for a sentence. */
export function shown(text: string): string {
  return `"${cutTo(printableLine(text), 60)}"`;
}

function optionValue(token: Token & { kind: "option" }, spec: OptionSpec): string | boolean | Refusal {
  const { rawName, inlineValue } = token;
  if (spec.type === "boolean")
    return inlineValue === true ? { message: `The option ${rawName} takes no value.` } : true;
  const { choices, value: name = "value" } = spec;
  const value = token.value === undefined ? undefined : unmark(token.value);
  if (value === undefined || (choices !== undefined && !choices.includes(value))) {
    const wanted = choices === undefined ? `a value: ${rawName} <${name}>` : `one of ${choices.join(", ")}`;
    return { message: `The option ${rawName} needs ${wanted}.` };
  }
  // `--save --json` is a forgotten value much more often than a file of that name.
  if (inlineValue !== true && /^-./.test(value) && !isNegativeNumber(value))
    return { message: `The option ${rawName} needs a value; for one that begins with a dash write ${rawName}=….` };
  return value;
}

function restOf(tokens: readonly Token[], from: "first" | "program"): Exclude<Token, { kind: "option" }> | undefined {
  const first = tokens.find((token) => token.kind !== "option");
  const isTarget = first?.kind === "positional" && from === "program" && isAddress(first.value);
  return isTarget ? undefined : first;
}

function parseTokens(args: readonly string[], specs: ReadOptions["specs"]) {
  const options = Object.fromEntries(
    Object.entries(specs).map(([name, { type, short, multiple = false }]) => [
      name,
      short === undefined ? { type, multiple } : { type, multiple, short },
    ]),
  );
  return parseArgs({ args: args.map(mark), options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

// `explain -32001` means a number, and parseArgs would read options of one letter. No argument can contain a null.
const MARK = "\0";
const mark = (arg: string): string => (isNegativeNumber(arg) ? MARK + arg : arg);
const unmark = (arg: string): string => (arg.startsWith(MARK) ? arg.slice(1) : arg);
const isNegativeNumber = (arg: string): boolean => /^-\d/.test(arg);
