// The cells of the tables: what happened in a way, and the evidence for it.
import { code } from "../../scripts/generate/markdown.ts";
import { FAILURES, type FailureName, type Observation, type Verdict } from "./failures.ts";
import type { Results } from "./results.ts";
import {
  GATEWAYS,
  type GatewayName,
  KEY_SEARCH,
  READINGS,
  type Reading,
  type Repository,
  sourceUrl,
} from "./sources.ts";
import { WAYS, type Way } from "./way.ts";

const SHAPES = { yes: "●", partly: "◐", no: "○", "not known": "–" } as const satisfies Record<
  Verdict | "not known",
  string
>;

/** A verdict as a shape and a word. */
export const mark = (verdict: Verdict | "not known"): string => `${SHAPES[verdict]} ${verdict}`;

/** What happened in a way that was run, one fact on each line. */
function describeRun(seen: Observation): string {
  return [
    `The model reads: ${seen.model.split("\n").map(code).join("<br>")}`,
    `The program gets: ${seen.program}`,
    `Calls at the server: ${seen.requests}, runs of the tool: ${seen.runs}${seen.seconds > 0 ? `, time: ${seen.seconds} s` : ""}`,
    ...(seen.next === undefined ? [] : [`The next call gives: ${code(seen.next)}`]),
  ].join("<br>");
}

/** Links to the places that were read. */
export function linkSources(repository: Repository, { verdict, at }: Reading): string {
  if (verdict === "not known" && at.length === 0) return "–";
  if (at.length === 0) return `searched: ${code(KEY_SEARCH)}`;
  return at.map((place) => `[${fileName(place)}](${sourceUrl(repository, place)})`).join("<br>");
}

const fileName = (place: string): string => place.slice(place.lastIndexOf("/") + 1);

/** A row of a way that was run: its name, what happens, the option that shows it. */
export function runRow(name: string, failure: FailureName, way: Way, { cells }: Results): string[] {
  const seen = cells[failure][way];
  return [name, `${mark(FAILURES[failure].judge(seen))}<br>${describeRun(seen)}`, code(`--way ${way}`)];
}

/** A row of a gateway that was read. */
export function readRow(name: string, failure: FailureName, gateway: GatewayName): string[] {
  const reading = READINGS[gateway][failure];
  return [name, `${mark(reading.verdict)}<br>${reading.text}`, linkSources(GATEWAYS[gateway], reading)];
}

/** The rows of the SDK: one where both versions do the same, else one for each. */
export function sdkRows(failure: FailureName, results: Results): string[][] {
  const { "sdk-v2": newer, "sdk-v1": older } = results.cells[failure];
  const isSame = newer.model === older.model && newer.program === older.program && newer.runs === older.runs;
  if (isSame) {
    const [name = "", text = "", evidence = ""] = runRow("SDK v2 and v1", failure, "sdk-v2", results);
    return [[name, text, `${evidence}<br>${code("--way sdk-v1")}`]];
  }
  return (["sdk-v2", "sdk-v1"] as const).map((way) => runRow(WAYS[way], failure, way, results));
}

/** The command that shows the cells of one failure. */
export const commandFor = (failure: FailureName): string => `npm run research -- compare --failure ${failure}`;
