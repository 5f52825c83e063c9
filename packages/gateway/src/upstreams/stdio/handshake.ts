import {
  ABORTED,
  hasHandshake,
  type JsonObject,
  LATEST_HANDSHAKE_REVISION,
  LATEST_REVISION,
  objectAt,
  parseJson,
  type Revision,
  race,
  sleep,
  TIMED_OUT,
} from "@recourse/core/wire";
import type { Abilities } from "../../call/abilities.ts";
import { type About, type ClientInfo, discoverParams, initializeParams, readAbout } from "../message.ts";
import type { StdioConnection } from "./connection.ts";

export interface Agreement {
  readonly era: Revision;
  readonly about: About;
}

export interface HandshakeOptions {
  readonly client: ClientInfo;
  readonly abilities: Abilities;
  readonly timeoutMs: number;
  /** How long to wait for the newer era before the older one is tried as well. */
  readonly discoverMs: number;
  /** The era to try first. */
  readonly first: Revision;
}

/**
 * Finds out the era of a child. Whatever goes wrong with the first message, the other era is tried, since older servers
 * answer an unknown method in many ways, or not at all. Undefined if neither works.
 */
export async function shakeHands(
  connection: StdioConnection,
  options: HandshakeOptions,
): Promise<Agreement | undefined> {
  if (hasHandshake(options.first)) {
    return (await initializeChild(connection, options)) ?? (await discoverChild(connection, options));
  }
  const newer = discoverChild(connection, options);
  const quick = await race(newer, { ms: options.discoverMs, sleep });
  if (typeof quick === "object") return quick;
  const older = initializeChild(connection, options);
  // A child that starts slowly answers the newer message late, but before the older one.
  return quick === TIMED_OUT || quick === ABORTED ? firstAgreement(newer, older) : older;
}

/** The first of two that is there. */
async function firstAgreement(
  one: Promise<Agreement | undefined>,
  other: Promise<Agreement | undefined>,
): Promise<Agreement | undefined> {
  const found = await Promise.race([one, other]);
  return found ?? (await one) ?? other;
}

async function discoverChild(
  connection: StdioConnection,
  { client, timeoutMs }: HandshakeOptions,
): Promise<Agreement | undefined> {
  const result = await askChild(connection, "server/discover", discoverParams(client), timeoutMs);
  const versions = result?.["supportedVersions"];
  if (result === undefined || !Array.isArray(versions) || !versions.includes(LATEST_REVISION)) return undefined;
  return { era: LATEST_REVISION, about: readAbout(result) };
}

async function initializeChild(
  connection: StdioConnection,
  { client, abilities, timeoutMs }: HandshakeOptions,
): Promise<Agreement | undefined> {
  const result = await askChild(connection, "initialize", initializeParams(client, abilities), timeoutMs);
  if (typeof result?.["protocolVersion"] !== "string") return undefined;
  connection.notify("notifications/initialized", Buffer.from("{}"));
  return { era: LATEST_HANDSHAKE_REVISION, about: readAbout(result) };
}

async function askChild(
  connection: StdioConnection,
  method: string,
  params: Buffer,
  timeoutMs: number,
): Promise<JsonObject | undefined> {
  const ended = await connection.exchange({ method, params, timeoutMs });
  if (ended.how !== "answered") return undefined;
  return objectAt(parseJson(ended.body.toString(), Number.POSITIVE_INFINITY), "result");
}
