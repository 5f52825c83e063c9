// Causes ten failures in the ways that can be run here: `npm run research -- compare`. It stores what it saw in results.json.
// With `--failure <name> --way <way>` it shows one cell of the pages, and stores nothing.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { FAILURE_NAMES, FAILURES, type FailureName, type Observation } from "./failures.ts";
import { observe } from "./observe.ts";
import { storeResults } from "./results.ts";
import { GATEWAY_NAMES, GATEWAYS, type GatewayName, KEY_SEARCH, READINGS, sourceUrl } from "./sources.ts";
import { WAY_NAMES, WAYS, type Way } from "./way.ts";

const PACKAGES = [
  "@modelcontextprotocol/client",
  "@modelcontextprotocol/server",
  "@modelcontextprotocol/sdk",
  "p-retry",
];
const { values } = parseArgs({ options: { failure: { type: "string" }, way: { type: "string" } } });
const { failure, way } = values;

const unknown =
  findUnknown("failure", failure, FAILURE_NAMES) ?? findUnknown("way", way, [...WAY_NAMES, ...GATEWAY_NAMES]);
if (unknown !== undefined) {
  console.error(unknown);
  process.exitCode = 2;
} else if (failure === undefined && way === undefined) await recordAll();
else for (const name of FAILURE_NAMES) if (failure === undefined || failure === name) await show(name);

function findUnknown(option: string, given: string | undefined, known: readonly string[]): string | undefined {
  const isKnown = given === undefined || known.includes(given);
  return isKnown ? undefined : `--${option} is one of ${known.join(", ")}.`;
}

/** Shows one failure in the ways that were asked for. */
async function show(name: FailureName): Promise<void> {
  for (const one of WAY_NAMES) if (way === undefined || way === one) print(name, one, await observe(name, one));
  for (const one of GATEWAY_NAMES) if (way === undefined || way === one) printReading(name, one);
}

function print(name: FailureName, one: Way, seen: Observation): void {
  const { title, question, judge } = FAILURES[name];
  const lines = [
    `${title}, ${WAYS[one]}`,
    `The model reads: ${seen.model}`,
    `The program gets: ${seen.program}`,
    `Calls at the server: ${seen.requests}, runs of the tool: ${seen.runs}, time: ${seen.seconds} s`,
    ...(seen.incidents === undefined ? [] : [`Records of the sinks: ${seen.incidents}`]),
    ...(seen.next === undefined ? [] : [`The next call gives: ${seen.next}`]),
    `${question} ${judge(seen)}`,
  ];
  console.log(`${lines.join("\n  ")}\n`);
}

function printReading(name: FailureName, one: GatewayName): void {
  const { verdict, text, at } = READINGS[one][name];
  const { title, question } = FAILURES[name];
  const isSearch = at.length === 0 && verdict !== "not known";
  const places = isSearch ? [`Searched: ${KEY_SEARCH}`] : at.map((place) => sourceUrl(GATEWAYS[one], place));
  const lines = [`${title}, ${GATEWAYS[one].title} (read, not run)`, text, ...places, `${question} ${verdict}`];
  console.log(`${lines.join("\n  ")}\n`);
}

async function recordAll(): Promise<void> {
  const manifest = new URL("../../package.json", import.meta.url);
  const { devDependencies } = JSON.parse(readFileSync(manifest, "utf8")) as { devDependencies: Record<string, string> };
  const cells: Partial<Record<FailureName, Record<Way, Observation>>> = {};
  for (const name of FAILURE_NAMES) {
    const seen: Partial<Record<Way, Observation>> = {};
    for (const one of WAY_NAMES) {
      const observation = await observe(name, one);
      seen[one] = observation;
      print(name, one, observation);
    }
    cells[name] = seen as Record<Way, Observation>;
  }
  const versions = Object.fromEntries(PACKAGES.map((one) => [one, devDependencies[one] ?? ""]));
  storeResults({ versions, cells: cells as Record<FailureName, Record<Way, Observation>> });
}
