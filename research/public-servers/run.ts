import type { GuardOptions } from "@recourse/core/server";
import { findLeaks } from "@recourse/testing";
import { ask, FAILURES, type FailureCase } from "../../packages/core/test/peers/public/cases.ts";
import { API_KEY, PASSWORD, REGISTERED_SECRET, TOKEN } from "../../packages/core/test/peers/public/secrets.ts";
import {
  answerOf,
  PUBLIC_SERVERS,
  type PublicServer,
  type RunningServer,
  startPublicServer,
} from "../../packages/core/test/peers/public/servers.ts";
import { withoutIds } from "../model-text/fixed.ts";

/** How each server runs. */
export const MODES = {
  bare: undefined,
  public: {},
  quote: { foreignText: "quote" },
  allow: { foreignText: "quote", allow: ["path"] },
} as const satisfies Record<string, GuardOptions | undefined>;

/** The name of a way to run a server. */
export type Mode = keyof typeof MODES;

/** What a model reads of one failure, and the ways of running in which the planted secret arrives. */
export interface Reading {
  readonly texts: Readonly<Record<Mode, string>>;
  readonly leaked: readonly Mode[];
}

/** The readings of every failure, by its server and its name. */
export type Readings = Readonly<Record<PublicServer, Readonly<Record<string, Reading>>>>;

export const MODE_NAMES = Object.keys(MODES) as Mode[];

/** Causes every failure of every server in some modes, or in all. */
export async function runPublicServers(modes: readonly Mode[] = MODE_NAMES): Promise<Readings> {
  const names = Object.keys(PUBLIC_SERVERS) as PublicServer[];
  const readings: [PublicServer, Readings[PublicServer]][] = [];
  for (const name of names) readings.push([name, await runServer(name, modes)]);
  return Object.fromEntries(readings) as unknown as Readings;
}

async function runServer(name: PublicServer, modes: readonly Mode[]): Promise<Readings[PublicServer]> {
  const started = await Promise.allSettled(modes.map((mode) => startPublicServer(name, MODES[mode])));
  const running = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  try {
    for (const one of started) if (one.status === "rejected") throw one.reason;
    const readings: Record<string, Reading> = {};
    for (const failure of FAILURES[name]) readings[failure.name] = await readingOf(failure, modes, running);
    return readings;
  } finally {
    await Promise.all(running.map((one) => one.close()));
  }
}

async function readingOf(
  failure: FailureCase,
  modes: readonly Mode[],
  running: readonly RunningServer[],
): Promise<Reading> {
  const answers = await Promise.all(running.map((one) => answerOf(one, ask(failure))));
  const secrets = failure.secret === undefined ? [] : [failure.secret];
  return {
    texts: Object.fromEntries(
      answers.map(({ text }, index) => [modes[index], withoutSecrets(withoutIds(text))]),
    ) as Reading["texts"],
    leaked: modes.filter((_, index) => findLeaks(answers[index]?.wire, secrets).length > 0),
  };
}

const NAMES = {
  [TOKEN]: "[token]",
  [PASSWORD]: "[password]",
  [REGISTERED_SECRET]: "[registered secret]",
  [API_KEY]: "[key]",
};

/** Secrets are named, so that the page contains none. */
export function withoutSecrets(text: string): string {
  return Object.entries(NAMES).reduce((shown, [secret, name]) => shown.replaceAll(secret, name), text);
}
