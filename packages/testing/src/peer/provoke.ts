import type { JsonObject } from "@recourse/wire";
import { type Cause, PROTOCOL_CAUSES, TOOL_CAUSES } from "./causes/requests.ts";
import { AUTH_AND_TASK_CAUSES, RESOURCE_CAUSES } from "./causes/state.ts";
import type { Peer } from "./misbehave.ts";
import { createRawClient, type RawClientOptions } from "./raw-client.ts";

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
