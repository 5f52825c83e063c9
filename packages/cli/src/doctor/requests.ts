import { type JsonObject, objectAt, stringAt } from "@recourse/faults/internal-do-not-use";
import type { Revision } from "../recording/revisions.ts";
import { CLIENT_INFO, withEnvelope } from "../wire/envelope.ts";

/** A request of this program. */
export type Request = JsonObject & { readonly id: number; readonly method: string };

const METHODS = { "2025-11-25": "initialize", "2026-07-28": "server/discover" } as const satisfies Record<
  Revision,
  string
>;

/** The request that opens a conversation in an era. */
export function handshake(revision: Revision): Request {
  const older = { protocolVersion: revision, capabilities: {}, clientInfo: CLIENT_INFO };
  return request(revision, METHODS[revision], revision === "2025-11-25" ? older : {}, 1);
}

/** Any request of an era. */
export function request(revision: Revision, method: string, params: JsonObject, id: number): Request {
  return { jsonrpc: "2.0", id, method, params: withEnvelope(revision, params) };
}

/** The notification that ends the older handshake. */
export const INITIALIZED: JsonObject = { jsonrpc: "2.0", method: "notifications/initialized" };

/** What a server says about itself in the response to a handshake. */
export interface Greeting {
  readonly server: { readonly name: string; readonly version: string };
  readonly capabilities: JsonObject;
  /** The version that was agreed on. */
  readonly version: string;
}

/** Reads the response to a handshake. Undefined if it is an error or not the result of one. */
export function greetingOf(response: JsonObject | undefined, revision: Revision): Greeting | undefined {
  const result = objectAt(response, "result");
  const version = stringAt(result, "protocolVersion");
  if (result === undefined) return undefined;
  // The newer era answers with a list of versions and has its name in the metadata.
  if (revision === "2025-11-25" && version === undefined) return undefined;
  if (revision === "2026-07-28" && !Array.isArray(result["supportedVersions"])) return undefined;
  const info =
    objectAt(result, "serverInfo") ?? objectAt(objectAt(result, "_meta"), "io.modelcontextprotocol/serverInfo");
  return {
    server: { name: stringAt(info, "name") ?? "unnamed", version: stringAt(info, "version") ?? "?" },
    capabilities: objectAt(result, "capabilities") ?? {},
    version: version ?? revision,
  };
}

/** The error of a response in a few words: `-32601 Method not found`. */
export function refusalOf(response: JsonObject | undefined): string {
  const error = objectAt(response, "error");
  return error === undefined
    ? "a result of another form"
    : `${String(error["code"])} ${stringAt(error, "message") ?? ""}`.trim();
}
