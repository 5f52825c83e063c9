import { core } from "@recourse/faults";
import { stringAt } from "@recourse/faults/internal-do-not-use";
import { type About, aboutOf, type ClientInfo } from "../about.ts";
import type { HttpChannel, Posted } from "./channel.ts";
import { type NegotiationFailed, refusalOf, resultOf, UNSENT } from "./negotiate-answer.ts";

/** A session of an upstream of the older era, as it was opened. */
export interface OpenSession {
  /** Undefined where the upstream has no sessions. */
  readonly id: string | undefined;
  /** The revision that was agreed on. */
  readonly version: string;
}

export interface InitializeOptions {
  readonly channel: HttpChannel;
  readonly client: ClientInfo;
  readonly timeoutMs: number;
}

/** The revisions of the older era that are spoken over Streamable HTTP, or were answered by servers that speak it. */
const VERSIONS: ReadonlySet<string> = new Set(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]);
/** Ids of sessions are visible ASCII, so they cannot break out of a header. */
const SESSION_ID = /^[\x21-\x7e]{1,1024}$/;

/** Whether a value can be sent as the id of a session. */
export function isSessionId(value: unknown): value is string {
  return typeof value === "string" && SESSION_ID.test(value);
}

/** Opens a session: `initialize`, and the notification that follows it. */
export async function initialize(
  options: InitializeOptions,
): Promise<{ readonly session: OpenSession; readonly about: About } | NegotiationFailed> {
  const { channel, client, timeoutMs } = options;
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: client };
  const posted = await channel.post({
    headers: [],
    method: "initialize",
    id: "0",
    params: Buffer.from(JSON.stringify(params)),
    timeoutMs,
  });
  const refused = refusalOf(posted);
  if (refused !== undefined) return refused;
  const result = resultOf(posted);
  const version = stringAt(result, "protocolVersion");
  if (posted.kind === "failed" || result === undefined || version === undefined || !VERSIONS.has(version)) {
    return { fault: core.misconfigured.fault({}, UNSENT), cause: causeOf(posted) };
  }
  const id = posted.headers["mcp-session-id"];
  if (id !== undefined && !isSessionId(id)) {
    return { fault: core.misconfigured.fault({}, UNSENT), cause: new Error("an id of a session that cannot be sent") };
  }
  const session = { id, version };
  await channel.post({
    headers: sessionHeaders(session),
    method: "notifications/initialized",
    id: undefined,
    params: Buffer.from("{}"),
    timeoutMs,
  });
  return { session, about: aboutOf(result) };
}

function causeOf(posted: Posted): unknown {
  return posted.kind === "failed" ? posted.cause : new Error(`HTTP status ${posted.status} to initialize`);
}

/** The headers of a message within a session. */
export function sessionHeaders({ id, version }: OpenSession): string[] {
  const headers = ["mcp-protocol-version", version];
  if (id !== undefined) headers.push("mcp-session-id", id);
  return headers;
}
