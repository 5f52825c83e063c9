import { core } from "@recourse/faults";
import { type About, aboutOf, type ClientInfo } from "../about.ts";
import type { Era } from "../upstream.ts";
import type { HttpChannel } from "./channel.ts";
import { messageHeaders } from "./headers.ts";
import { type NegotiationFailed, refusalOf, resultOf, UNSENT } from "./negotiate-answer.ts";
import { initialize, type OpenSession } from "./session-start.ts";

/** The era that an upstream speaks, and what it said about itself. */
export interface Negotiated {
  readonly era: Era;
  readonly about: About;
  /** The session that the negotiation opened, for an upstream of the older era. No caller has used it. */
  readonly session: OpenSession | undefined;
}

export interface NegotiateOptions {
  readonly channel: HttpChannel;
  readonly era: Era | "auto";
  /** Name and version of the gateway. */
  readonly client: ClientInfo;
  readonly timeoutMs: number;
}

/** Finds out the era of an upstream. No call has been sent when it fails. */
export async function negotiate(options: NegotiateOptions): Promise<Negotiated | NegotiationFailed> {
  if (options.era !== "2025-11-25") {
    const discovered = await discover(options);
    if (discovered !== "other era") return discovered;
    if (options.era !== "auto") {
      return { fault: core.misconfigured.fault({}, UNSENT), cause: new Error("the server does not speak 2026-07-28") };
    }
  }
  const opened = await initialize(options);
  if ("fault" in opened) return opened;
  return { era: "2025-11-25", about: opened.about, session: opened.session };
}

async function discover(options: NegotiateOptions): Promise<Negotiated | NegotiationFailed | "other era"> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": options.client,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const posted = await options.channel.post({
    headers: messageHeaders("server/discover", undefined),
    method: "server/discover",
    id: '"discover"',
    params: Buffer.from(JSON.stringify({ _meta: meta })),
    timeoutMs: options.timeoutMs,
  });
  const failed = refusalOf(posted);
  if (failed !== undefined) return failed;
  const result = resultOf(posted);
  const versions = result?.["supportedVersions"];
  if (result === undefined || (Array.isArray(versions) && !versions.includes("2026-07-28"))) return "other era";
  return { era: "2026-07-28", about: aboutOf(result), session: undefined };
}
