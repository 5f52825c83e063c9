// What the last run found: the readings of the installed servers, and the figures that a later run may not fall below.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { PublicServer } from "../../../packages/core/test/peers/public/servers.ts";
import { json } from "../../../scripts/generate/json.ts";
import { observationsOf, TESTED } from "../tested.ts";
import type { InstalledServer } from "./case.ts";
import { type Figures, figuresOf } from "./figures.ts";
import { arrives, type Outcome, outcomeOf, testedOutcomeOf } from "./outcomes.ts";
import type { InstalledReading, InstalledReadings } from "./run.ts";
import type { GuardSaid } from "./start.ts";

const FILES = {
  readings: new URL("readings.json", import.meta.url),
  figures: new URL("figures.json", import.meta.url),
  heldOut: new URL("held-out.json", import.meta.url),
} as const;

/** Whether the servers that were held out have been run. */
export const isHeldOutRun = (): boolean => existsSync(FILES.heldOut);

/** Reads what is stored; nothing is stored before the first run. */
export function stored(name: "readings" | "heldOut"): InstalledReadings;
export function stored(name: "figures"): Figures;
export function stored(name: keyof typeof FILES): InstalledReadings | Figures {
  return existsSync(FILES[name]) ? JSON.parse(readFileSync(FILES[name], "utf8")) : {};
}

/** Stores what a run found. */
export function store(name: keyof typeof FILES, value: InstalledReadings | Figures): void {
  writeFileSync(FILES[name], json(value));
}

/** The outcomes of a server that has been read. */
export function outcomesOf(name: string, server: InstalledServer, readings: InstalledReadings): readonly Outcome[] {
  return server.cases.map((failure) => {
    const reading: InstalledReading | undefined = readings[name]?.cases[failure.name];
    if (reading === undefined)
      throw new Error(`${name}, ${failure.name}: no reading; run npm run research -- public-servers`);
    return outcomeOf(failure, reading);
  });
}

/** The figures of installed servers that have been read, and of those that are part of the tests. */
export function figuresIn(servers: Readonly<Record<string, InstalledServer>>, readings: InstalledReadings): Figures {
  const tested = TESTED.map((name) => [name, figuresOf(testedOutcomes(name))]);
  const installed = Object.entries(servers).map(([name, server]) => {
    const isGuarded = refusalOf(readings[name]?.guard) === undefined;
    return [name, isGuarded ? figuresOf(outcomesOf(name, server, readings)) : null];
  });
  return Object.fromEntries([...tested, ...installed]);
}

/** The outcomes of a server that is part of the tests. */
export function testedOutcomes(server: PublicServer): readonly Outcome[] {
  return observationsOf(server).map(({ failure, reading }) => testedOutcomeOf(failure, reading));
}

/** Why a server has no guarded texts. One that the hook did not find counts as refused: its guarded texts are bare ones. */
export function refusalOf(said: GuardSaid): string | undefined {
  if (said === undefined) return "not found by the hook of this study";
  return "refused" in said ? said.refused : undefined;
}

/** Words that a case needs and the bare text lacks: the case is wrong, or the server has changed. */
export function missingWords(
  servers: Readonly<Record<string, InstalledServer>>,
  readings: InstalledReadings,
): readonly string[] {
  return Object.entries(servers).flatMap(([name, server]) =>
    server.cases.flatMap((failure) => {
      const { bare = "" } = readings[name]?.cases[failure.name]?.texts ?? {};
      const first = failure.needs.map((need) => (typeof need === "string" ? need : need[0]));
      const missing = first.filter((word) => !arrives({ by: failure.by, words: [word] }, bare));
      return missing.map((word) => `${name}, ${failure.name}: the bare text lacks “${word}”`);
    }),
  );
}
