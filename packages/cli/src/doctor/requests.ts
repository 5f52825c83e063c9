import {
  hasHandshake,
  type JsonObject,
  NEWEST_REVISIONS,
  objectAt,
  SERVER_INFO_KEY,
  stringAt,
} from "@recourse/core/wire";
import type { EraRevision } from "../recording/recording.ts";
import { CLIENT_INFO, withEnvelope } from "../wire/messages.ts";
import { quoteLine } from "./diagnosis.ts";

/** A request of this program. */
type EraRequest = JsonObject & { readonly id: number; readonly method: string };

/** The request that opens a conversation in an era. */
export function handshakeRequest(revision: EraRevision): EraRequest {
  const older = { protocolVersion: revision, capabilities: {}, clientInfo: CLIENT_INFO };
  return eraRequest(
    revision,
    hasHandshake(revision) ? "initialize" : "server/discover",
    hasHandshake(revision) ? older : {},
    1,
  );
}

/** Any request of an era. */
export function eraRequest(revision: EraRevision, method: string, params: JsonObject, id: number): EraRequest {
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
export function readGreeting(response: JsonObject | undefined, revision: EraRevision): Greeting | undefined {
  const result = objectAt(response, "result");
  const version = stringAt(result, "protocolVersion");
  if (result === undefined) return undefined;
  // The newer era answers with a list of versions and has its name in the metadata.
  if (hasHandshake(revision) ? version === undefined : !Array.isArray(result["supportedVersions"])) return undefined;
  const info = objectAt(result, "serverInfo") ?? objectAt(objectAt(result, "_meta"), SERVER_INFO_KEY);
  return {
    server: { name: stringAt(info, "name") ?? "unnamed", version: stringAt(info, "version") ?? "?" },
    capabilities: objectAt(result, "capabilities") ?? {},
    version: version ?? revision,
  };
}

/** The error of a response in a few words: `-32601 Method not found`. */
export function describeRefusal(response: JsonObject | undefined): string {
  const error = objectAt(response, "error");
  return error === undefined
    ? "a result of another form"
    : `${String(error["code"])} ${stringAt(error, "message") ?? ""}`.trim();
}

/** The name of a server in a few words, with the version that was agreed on if it is an older one. */
export function greetingText({ server, version }: Greeting): string {
  const agreed = NEWEST_REVISIONS.some((one) => one === version) ? "" : `, agreed on ${quoteLine(version, 20)}`;
  return `${quoteLine(`${server.name} ${server.version}`, 80)}${agreed}`;
}
