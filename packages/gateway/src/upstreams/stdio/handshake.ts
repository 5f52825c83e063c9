import {
  ABORTED,
  type JsonObject,
  objectAt,
  parseJson,
  race,
  sleep,
  TIMED_OUT,
} from "@recourse/faults/internal-do-not-use";
import { type About, aboutOf, type ClientInfo } from "../about.ts";
import type { Era } from "../upstream.ts";
import type { StdioConnection } from "./connection.ts";
import type { Ended } from "./exchange.ts";

/** What was agreed on with a child. */
export interface Agreed {
  readonly era: Era;
  readonly about: About;
}

/** Options of `shakeHands`. */
export interface HandshakeOptions {
  readonly client: ClientInfo;
  /** How long the handshake may take as a whole. */
  readonly timeoutMs: number;
  /** How long the newer era is waited for before the older one is tried as well. */
  readonly discoverMs: number;
  /** The era to try first. */
  readonly first: Era;
}

/**
 * Finds out the era of a child. Whatever goes wrong with the first message, the other era is tried, since older servers
 * answer an unknown method in many ways, or not at all. Undefined where neither works.
 */
export async function shakeHands(connection: StdioConnection, options: HandshakeOptions): Promise<Agreed | undefined> {
  if (options.first === "2025-11-25") {
    return (await initialize(connection, options)) ?? (await discover(connection, options));
  }
  const newer = discover(connection, options);
  const quick = await race(newer, { ms: options.discoverMs, sleep });
  if (typeof quick === "object") return quick;
  const older = initialize(connection, options);
  // A child that starts slowly answers the newer message late, but before the older one.
  return quick === TIMED_OUT || quick === ABORTED ? firstOf(newer, older) : older;
}

/** The first of two that is there. */
async function firstOf(
  one: Promise<Agreed | undefined>,
  other: Promise<Agreed | undefined>,
): Promise<Agreed | undefined> {
  const found = await Promise.race([one, other]);
  return found ?? (await one) ?? other;
}

async function discover(
  connection: StdioConnection,
  { client, timeoutMs }: HandshakeOptions,
): Promise<Agreed | undefined> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": client,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const result = await ask(connection, "server/discover", { _meta: meta }, timeoutMs);
  const versions = result?.["supportedVersions"];
  if (result === undefined || !Array.isArray(versions) || !versions.includes("2026-07-28")) return undefined;
  return { era: "2026-07-28", about: aboutOf(result) };
}

async function initialize(
  connection: StdioConnection,
  { client, timeoutMs }: HandshakeOptions,
): Promise<Agreed | undefined> {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: client };
  const result = await ask(connection, "initialize", params, timeoutMs);
  if (typeof result?.["protocolVersion"] !== "string") return undefined;
  connection.notify("notifications/initialized", Buffer.from("{}"));
  return { era: "2025-11-25", about: aboutOf(result) };
}

async function ask(
  connection: StdioConnection,
  method: string,
  params: JsonObject,
  timeoutMs: number,
): Promise<JsonObject | undefined> {
  const ended: Ended = await connection.exchange({ method, params: Buffer.from(JSON.stringify(params)), timeoutMs });
  if (ended.how !== "answered") return undefined;
  return objectAt(parseJson(ended.body.toString(), Number.POSITIVE_INFINITY), "result");
}
