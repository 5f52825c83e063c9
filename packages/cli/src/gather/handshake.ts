import { type JsonObject, memberAt, objectAt, stringAt } from "@recourse/faults/internal-do-not-use";
import type { Answer } from "../recording/recording.ts";
import { CLIENT_INFO, withEnvelope } from "../wire/envelope.ts";
import type { Conversation, Sendout } from "./conversation.ts";

/** What a server said about itself. */
export interface Introduction {
  readonly negotiated: string;
  readonly server: { readonly name: string; readonly version: string };
  readonly capabilities: JsonObject;
}

/** How the opening of a conversation went. */
export type Handshake = Sendout &
  ({ readonly ok: true; readonly introduction: Introduction } | { readonly ok: false; readonly because: string });

/** Opens a conversation: `initialize` in the older era, `server/discover` since 2026-07-28. */
export async function shakeHands(conversation: Conversation): Promise<Handshake> {
  const isOlder = conversation.revision === "2025-11-25";
  const method = isOlder ? "initialize" : "server/discover";
  const params = isOlder ? initializeParams("2025-11-25") : withEnvelope(conversation.revision, {});
  const id = conversation.nextId();
  const message = { jsonrpc: "2.0", id, method, params };
  const done = await conversation.send({ message, id, timeoutMs: conversation.waits.startMs });
  const introduction = isOlder ? initialized(done.answer) : discovered(done.answer, conversation.revision);
  if (introduction === undefined) return { ...done, ok: false, because: whyNot(method, done.answer) };
  if (isOlder) await conversation.send({ message: { jsonrpc: "2.0", method: "notifications/initialized" } });
  return { ...done, ok: true, introduction };
}

/** The parameters of `initialize`. */
export function initializeParams(protocolVersion: unknown): JsonObject {
  return { protocolVersion, capabilities: {}, clientInfo: CLIENT_INFO };
}

function resultOf(answer: Answer): JsonObject | undefined {
  return answer.kind === "message" ? objectAt(answer.message, "result") : undefined;
}

function initialized(answer: Answer): Introduction | undefined {
  const result = resultOf(answer);
  const negotiated = stringAt(result, "protocolVersion");
  return negotiated === undefined ? undefined : introductionOf(result, negotiated);
}

function discovered(answer: Answer, revision: string): Introduction | undefined {
  const result = resultOf(answer);
  const versions = memberAt(result, "supportedVersions");
  return Array.isArray(versions) && versions.includes(revision) ? introductionOf(result, revision) : undefined;
}

function introductionOf(result: JsonObject | undefined, negotiated: string): Introduction {
  const meta = objectAt(result, "_meta");
  const info = objectAt(result, "serverInfo") ?? objectAt(meta, "io.modelcontextprotocol/serverInfo");
  return {
    negotiated,
    server: { name: stringAt(info, "name") ?? "", version: stringAt(info, "version") ?? "" },
    capabilities: objectAt(result, "capabilities") ?? {},
  };
}

/** Why a conversation could not be opened, in one sentence. */
function whyNot(method: string, answer: Answer): string {
  switch (answer.kind) {
    case "message": {
      const error = objectAt(answer.message, "error");
      if (error === undefined) return `The answer to ${method} does not name a version.`;
      const text = stringAt(error, "message") ?? "";
      return `${method} was answered with the error ${JSON.stringify(memberAt(error, "code"))}: ${text.slice(0, 200)}`;
    }
    case "body":
      return `${method} was answered with HTTP ${answer.http?.status ?? 0} and no JSON-RPC message.`;
    case "silent":
      return `${method} was not answered within ${Math.round(answer.ms / 1_000)} seconds.`;
    case "closed":
      if (answer.exitCode === null && answer.signal === null) return "The program could not be started.";
      return answer.exitCode === undefined
        ? `The connection was closed before ${method} was answered.`
        : `The program ended (${answer.signal ?? `exit code ${answer.exitCode}`}) before ${method} was answered.`;
    case "inconclusive":
      return answer.because;
    default:
      return answer satisfies never;
  }
}
