// The servers that are part of the tests, with what a model reads of each failure.
import { readFileSync } from "node:fs";
import { FAILURES } from "../../packages/core/test/peers/public/cases.ts";
import { PUBLIC_SERVERS, type PublicServer } from "../../packages/core/test/peers/public/servers.ts";
import type { Observation } from "./counts.ts";
import type { Reading, Readings } from "./run.ts";

/** Their names. */
export const TESTED = Object.keys(PUBLIC_SERVERS) as PublicServer[];

/** The stored readings. */
export function storedReadings(): Readings {
  return JSON.parse(readFileSync(new URL("readings.json", import.meta.url), "utf8")) as Readings;
}

/** The failures of one server with their readings. */
export function observationsOf(server: PublicServer): readonly Observation[] {
  const readings = storedReadings()[server];
  return FAILURES[server].map((failure) => ({ failure, reading: readings[failure.name] as Reading }));
}
