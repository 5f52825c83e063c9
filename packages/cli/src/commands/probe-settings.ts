import { nearestNames } from "@recourse/core";
import { NEWEST_REVISIONS } from "@recourse/core/wire";
import { PROBE_CHECKS } from "../checks/catalogue.ts";
import { CHECK_SEVERITIES, type CheckSeverity } from "../checks/check.ts";
import { NEWEST_SET } from "../judge/score.ts";
import type { OptionValues, ParsedArguments } from "../program/command.ts";
import { textOption } from "../program/command-line.ts";
import { isAddress } from "../program/secrets.ts";
import type { EraRevision } from "../recording/recording.ts";
import type { TargetSpec } from "../wire/limits.ts";

/** What a probe is asked to do. */
export interface ProbeCommandOptions {
  /** The server. Undefined with `--from` alone. */
  readonly target: TargetSpec | undefined;
  /** The file of a saved recording. */
  readonly from: string | undefined;
  /** The id of the exchange to show or send again. */
  readonly replay: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly tools: readonly string[] | undefined;
  readonly eras: readonly EraRevision[] | undefined;
  readonly only: readonly string[] | undefined;
  readonly skip: readonly string[];
  readonly set: number;
  readonly failUnder: number | undefined;
  readonly failOn: CheckSeverity | undefined;
}

/** Settings, or one sentence about what is wrong with them. */
type ReadSettings =
  | { readonly ok: true; readonly settings: ProbeCommandOptions }
  | { readonly ok: false; readonly problem: string };

/** Reads the command line. `environment` is where `-e NAME` takes its value from. */
export function readSettings(
  { positionals, options }: ParsedArguments,
  environment: Readonly<Record<string, string | undefined>>,
): ReadSettings {
  const problems: string[] = [];
  const noted = <T>(read: T | SettingProblem): T | undefined => {
    if (!(read instanceof SettingProblem)) return read;
    problems.push(read.text);
    return undefined;
  };
  const from = textOption(options, "from");
  const replay = textOption(options, "replay");
  const era = NEWEST_REVISIONS.find((one) => one === options["era"]);
  const settings: ProbeCommandOptions = {
    target: noted(readProbeTarget(positionals, { from, replay })),
    from,
    replay,
    headers: noted(readNamedValues(listedTexts(options, "header"), headerPair)) ?? {},
    env: noted(readNamedValues(listedTexts(options, "env"), (text) => variablePair(text, environment))) ?? {},
    tools: namesWithCommas(options, "tools"),
    eras: era === undefined ? undefined : [era],
    only: noted(expandChecks(namesWithCommas(options, "only"))),
    skip: noted(expandChecks(namesWithCommas(options, "skip"))) ?? [],
    set: noted(wholeNumber(options, "set", { from: 1, to: NEWEST_SET })) ?? NEWEST_SET,
    failUnder: noted(wholeNumber(options, "fail-under", { from: 0, to: 100 })),
    failOn: CHECK_SEVERITIES.find((one) => one === options["fail-on"]),
  };
  const [problem] = problems;
  return problem === undefined ? { ok: true, settings } : { ok: false, problem };
}

/** Why an option cannot be used. */
class SettingProblem {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function readProbeTarget(
  [first, ...rest]: readonly string[],
  { from, replay }: Pick<ProbeCommandOptions, "from" | "replay">,
): TargetSpec | undefined | SettingProblem {
  if (first === undefined)
    return from === undefined
      ? new SettingProblem("Name a server: an address, or the command that starts it.")
      : undefined;
  if (from !== undefined && replay === undefined)
    return new SettingProblem("Give a server or --from, not both: a saved recording needs no server.");
  if (!isAddress(first)) return { transport: "stdio", command: first, args: rest };
  if (!URL.canParse(first)) return new SettingProblem("The address is not a URL.");
  return rest.length === 0 ? { transport: "http", url: first } : new SettingProblem("An address takes no arguments.");
}

type NamedValue = readonly [name: string, value: string];

function readNamedValues(
  texts: readonly string[],
  readPair: (text: string) => NamedValue | SettingProblem,
): Readonly<Record<string, string>> | SettingProblem {
  const pairs: NamedValue[] = [];
  for (const text of texts) {
    const pair = readPair(text);
    if (pair instanceof SettingProblem) return pair;
    pairs.push(pair);
  }
  return Object.fromEntries(pairs);
}

// Values are never part of a sentence: they are secrets.
function headerPair(text: string): NamedValue | SettingProblem {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([^\r\n\0]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    return new SettingProblem('A header is written --header "Name: value".');
  return [name, value.trim()];
}

function variablePair(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): NamedValue | SettingProblem {
  const [, name = "", value] = /^([^=\0]+)(?:=([\s\S]*))?$/.exec(text) ?? [];
  if (name === "") return new SettingProblem("A variable is written -e NAME=value.");
  const given = value ?? environment[name];
  return given === undefined ? new SettingProblem(`-e ${name}: there is no such variable to pass on.`) : [name, given];
}

/** The ids that names of checks and of categories stand for. */
function expandChecks(names: readonly string[] | undefined): readonly string[] | undefined | SettingProblem {
  if (names === undefined) return undefined;
  const known = new Set(PROBE_CHECKS.flatMap(({ id, category }) => [id, category]));
  const unknown = names.find((name) => !known.has(name));
  if (unknown === undefined)
    return PROBE_CHECKS.filter(({ id, category }) => names.includes(id) || names.includes(category)).map(
      ({ id }) => id,
    );
  const [nearest] = nearestNames(unknown, [...known], 1);
  const hint = nearest === undefined ? "recourse probe --list-checks lists them." : `Did you mean ${nearest}?`;
  return new SettingProblem(`There is no check or category "${unknown}". ${hint}`);
}

function wholeNumber(
  options: OptionValues,
  name: string,
  { from, to }: { readonly from: number; readonly to: number },
): number | undefined | SettingProblem {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  const number = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= from && number <= to) return number;
  return new SettingProblem(`--${name} takes ${from === to ? from : `a whole number from ${from} to ${to}`}.`);
}

function listedTexts(options: OptionValues, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? value : [];
}

function namesWithCommas(options: OptionValues, name: string): readonly string[] | undefined {
  const names = listedTexts(options, name)
    .flatMap((text) => text.split(","))
    .map((text) => text.trim())
    .filter((text) => text !== "");
  return names.length === 0 ? undefined : names;
}
