// Causes every failure of the installed servers, bare and guarded.
import { findLeaks } from "@recourse/testing";
import { answerOf } from "../../../packages/core/test/peers/public/servers.ts";
import { withoutIds } from "../../model-text/fixed.ts";
import { MODES, withoutSecrets } from "../run.ts";
import type { InstalledCase, InstalledServer } from "./case.ts";
import { INSTALLED } from "./install.ts";
import { READ_MODES, type ReadMode } from "./modes.ts";
import { askOf, type GuardSaid, type StartedServer, startInstalled } from "./start.ts";

/** What a model reads of one failure. */
export interface InstalledReading {
  readonly texts: Readonly<Record<ReadMode, string>>;
  readonly leaked: readonly ReadMode[];
}

/** The readings of one server. */
interface ServerReadings {
  readonly guard: GuardSaid;
  readonly cases: Readonly<Record<string, InstalledReading>>;
}

/** The readings of servers, by their names. */
export type InstalledReadings = Readonly<Record<string, ServerReadings>>;

/** Runs servers, one after the other. */
export async function runInstalled(
  servers: Readonly<Record<string, InstalledServer>>,
  modes: readonly ReadMode[] = READ_MODES,
): Promise<InstalledReadings> {
  const readings: [string, ServerReadings][] = [];
  for (const [name, server] of Object.entries(servers)) readings.push([name, await runServer(name, server, modes)]);
  return Object.fromEntries(readings);
}

async function runServer(name: string, server: InstalledServer, modes: readonly ReadMode[]): Promise<ServerReadings> {
  const started = await Promise.allSettled(modes.map((mode) => startInstalled(name, server, MODES[mode])));
  const running = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  try {
    for (const one of started) if (one.status === "rejected") throw one.reason;
    const cases: Record<string, InstalledReading> = {};
    for (const failure of server.cases) cases[failure.name] = await readingOf(failure, modes, running);
    return { guard: running[modes.indexOf("public")]?.guardSaid(), cases };
  } finally {
    await Promise.all(running.map((one) => one.close()));
  }
}

async function readingOf(
  failure: InstalledCase,
  modes: readonly ReadMode[],
  running: readonly StartedServer[],
): Promise<InstalledReading> {
  const ask = askOf(failure);
  for (const { standIn } of running) standIn.use(failure.replies ?? []);
  const answers = await Promise.all(running.map((one) => answerOf(one, ask)));
  const secrets = failure.secret === undefined ? [] : piecesOf(failure.secret);
  return {
    texts: Object.fromEntries(
      answers.map(({ text }, index) => [modes[index], fixed(text)]),
    ) as InstalledReading["texts"],
    leaked: modes.filter((_, index) => findLeaks(answers[index]?.wire, secrets).length > 0),
  };
}

const PIECE = 6;

/** A secret that is cut in the middle has leaked as well. */
function piecesOf(secret: string): readonly string[] {
  const starts = Array.from({ length: secret.length - PIECE + 1 }, (_, start) => start);
  return [secret, ...new Set(starts.map((start) => secret.slice(start, start + PIECE)))];
}

/** Without what differs from run to run, and from machine to machine. */
const fixed = (text: string): string =>
  withoutSecrets(withoutIds(text))
    .replaceAll(INSTALLED, "$SERVERS")
    .replaceAll(/\b[0-9a-f]{32}\b/g, "$ID")
    .replaceAll(/\b127\.0\.0\.1:\d{4,5}\b/g, "127.0.0.1:$PORT");
