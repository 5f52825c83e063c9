import type { JsonObject } from "../../json/read.ts";
import { AUTH_AND_TASK_CAUSES } from "./causes/auth-and-tasks.ts";
import { PROTOCOL_CAUSES } from "./causes/protocol.ts";
import { RESOURCE_CAUSES } from "./causes/resources.ts";
import { TOOL_CAUSES } from "./causes/tools.ts";
import type { Peer } from "./misbehave.ts";
import { createRawClient, type RawClient, type RawClientOptions } from "./raw-client.ts";
import type { PeerLimits } from "./server/state.ts";

/** A real cause of an erlmcp error code: what a client does so that the peer answers with the code. */
export interface Cause {
  /** The error code. */
  readonly code: number;
  /** The reason of the fault that the error is decoded to. */
  readonly reason: string;
  /** What the client does, or what has happened. */
  readonly description: string;
  /** Limits that the peer must be started with. */
  readonly limits?: Partial<PeerLimits>;
  /** The capabilities with which the client initializes; false means that it does not initialize. */
  readonly initialize?: JsonObject | false;
  /** Provokes the error and returns the reply with it. */
  readonly run: (client: RawClient) => Promise<JsonObject>;
}

/** A real cause for every error code of erlmcp. Start the peer with `dialect: "erlmcp"`. */
export const CAUSES: readonly Cause[] = [
  ...PROTOCOL_CAUSES,
  ...RESOURCE_CAUSES,
  ...TOOL_CAUSES,
  ...AUTH_AND_TASK_CAUSES,
];

/** Provokes an error with a new client, and returns the reply. */
export async function provoke(
  cause: Cause,
  peer: Pick<Peer, "url" | "advanceClock">,
  options: RawClientOptions = {},
): Promise<JsonObject> {
  const client = createRawClient(peer, options);
  const { initialize = {} } = cause;
  if (initialize !== false) await client.initialize({ capabilities: initialize });
  return cause.run(client);
}
