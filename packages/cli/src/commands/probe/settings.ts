import { nearestNames } from "@recourse/faults";
import { CHECKS } from "../../checks/catalogue.ts";
import { SEVERITIES, type Severity } from "../../checks/check.ts";
import { NEWEST_SET } from "../../judge/judge.ts";
import type { Given, OptionValues } from "../../program/command.ts";
import { isAddress } from "../../program/printable-url.ts";
import { REVISIONS, type Revision } from "../../recording/revisions.ts";
import type { TargetSpec } from "../../wire/target.ts";

/** What a probe is asked to do. */
export interface ProbeSettings {
  /** The server. Undefined with `--from` alone. */
  readonly target: TargetSpec | undefined;
  /** The file of a saved recording. */
  readonly from: string | undefined;
  /** The id of the exchange to show or send again. */
  readonly replay: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly tools: readonly string[] | undefined;
  readonly eras: readonly Revision[] | undefined;
  readonly only: readonly string[] | undefined;
  readonly skip: readonly string[];
  readonly set: number;
  readonly failUnder: number | undefined;
  readonly failOn: Severity | undefined;
}

/** Settings, or one sentence about what is wrong with them. */
export type ReadSettings =
  | { readonly ok: true; readonly settings: ProbeSettings }
  | { readonly ok: false; readonly problem: string };

/** Reads the command line. `environment` is where `-e NAME` takes its value from. */
export function readSettings(
  { positionals, options }: Given,
  environment: Readonly<Record<string, string | undefined>>,
): ReadSettings {
  const problems: string[] = [];
  const noted = <T>(read: T | Problem): T | undefined => {
    if (!(read instanceof Problem)) return read;
    problems.push(read.text);
    return undefined;
  };
  const from = textAt(options, "from");
  const replay = textAt(options, "replay");
  const era = REVISIONS.find((one) => one === options["era"]);
  const settings: ProbeSettings = {
    target: noted(targetOf(positionals, { from, replay })),
    from,
    replay,
    headers: noted(pairsOf(listAt(options, "header"), headerPair)) ?? {},
    env: noted(pairsOf(listAt(options, "env"), (text) => variablePair(text, environment))) ?? {},
    tools: namesAt(options, "tools"),
    eras: era === undefined ? undefined : [era],
    only: noted(checksOf(namesAt(options, "only"))),
    skip: noted(checksOf(namesAt(options, "skip"))) ?? [],
    set: noted(wholeNumber(options, "set", { from: 1, to: NEWEST_SET })) ?? NEWEST_SET,
    failUnder: noted(wholeNumber(options, "fail-under", { from: 0, to: 100 })),
    failOn: SEVERITIES.find((one) => one === options["fail-on"]),
  };
  const [problem] = problems;
  return problem === undefined ? { ok: true, settings } : { ok: false, problem };
}

/** Why an option cannot be used. */
class Problem {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function targetOf(
  [first, ...rest]: readonly string[],
  { from, replay }: Pick<ProbeSettings, "from" | "replay">,
): TargetSpec | undefined | Problem {
  if (first === undefined)
    return from === undefined ? new Problem("Name a server: an address, or the command that starts it.") : undefined;
  if (from !== undefined && replay === undefined)
    return new Problem("Give a server or --from, not both: a saved recording needs no server.");
  if (!isAddress(first)) return { transport: "stdio", command: first, args: rest };
  if (!URL.canParse(first)) return new Problem("The address is not a URL.");
  return rest.length === 0 ? { transport: "http", url: first } : new Problem("An address takes no arguments.");
}

type Pair = readonly [name: string, value: string];

function pairsOf(
  texts: readonly string[],
  pairOf: (text: string) => Pair | Problem,
): Readonly<Record<string, string>> | Problem {
  const pairs: Pair[] = [];
  for (const text of texts) {
    const pair = pairOf(text);
    if (pair instanceof Problem) return pair;
    pairs.push(pair);
  }
  return Object.fromEntries(pairs);
}

// Values are never part of a sentence: they are secrets.
function headerPair(text: string): Pair | Problem {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([^\r\n\0]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) return new Problem('A header is written --header "Name: value".');
  return [name, value.trim()];
}

function variablePair(text: string, environment: Readonly<Record<string, string | undefined>>): Pair | Problem {
  const [, name = "", value] = /^([^=\0]+)(?:=([\s\S]*))?$/.exec(text) ?? [];
  if (name === "") return new Problem("A variable is written -e NAME=value.");
  const given = value ?? environment[name];
  return given === undefined ? new Problem(`-e ${name}: there is no such variable to pass on.`) : [name, given];
}

/** The ids that names of checks and of categories stand for. */
function checksOf(names: readonly string[] | undefined): readonly string[] | undefined | Problem {
  if (names === undefined) return undefined;
  const known = new Set(CHECKS.flatMap(({ id, category }) => [id, category]));
  const unknown = names.find((name) => !known.has(name));
  if (unknown === undefined)
    return CHECKS.filter(({ id, category }) => names.includes(id) || names.includes(category)).map(({ id }) => id);
  const [nearest] = nearestNames(unknown, [...known], 1);
  const hint = nearest === undefined ? "recourse probe --list-checks lists them." : `Did you mean ${nearest}?`;
  return new Problem(`There is no check or category "${unknown}". ${hint}`);
}

function wholeNumber(
  options: OptionValues,
  name: string,
  { from, to }: { readonly from: number; readonly to: number },
): number | undefined | Problem {
  const text = textAt(options, name);
  if (text === undefined) return undefined;
  const number = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= from && number <= to) return number;
  return new Problem(`--${name} takes ${from === to ? from : `a whole number from ${from} to ${to}`}.`);
}

function textAt(options: OptionValues, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

function listAt(options: OptionValues, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? value : [];
}

function namesAt(options: OptionValues, name: string): readonly string[] | undefined {
  const names = listAt(options, name)
    .flatMap((text) => text.split(","))
    .map((text) => text.trim())
    .filter((text) => text !== "");
  return names.length === 0 ? undefined : names;
}
