import type { ServerResponse } from "node:http";
import type { Ask } from "../message.ts";
import type { Core } from "../peer.ts";
import type { Plan } from "../script.ts";
import type { Circumstances } from "../surface/surface.ts";
import { MISBEHAVIOURS, type MisbehaviourName } from "../wire/misbehaviours.ts";

/** The header that names a session. */
export const SESSION = "mcp-session-id";

/** What a misbehaviour needs to know about the peer. */
export interface Place {
  readonly core: Core;
  readonly url: URL;
  readonly ms: number;
}

/** Treats a request as planned: carries it out where that belongs to it, then does wrong. */
export async function misdo(
  { core, url, ms }: Place,
  plan: Plan<MisbehaviourName>,
  exchange: {
    readonly ask: Ask;
    readonly response: ServerResponse;
    readonly facts: Omit<Circumstances, "send">;
  },
): Promise<void> {
  const { ask, response, facts } = exchange;
  const row = MISBEHAVIOURS[plan.do];
  const cancel = new AbortController();
  const turn = {
    ask,
    response,
    url,
    ms: plan.ms ?? ms,
    now: core.world.clock.now,
    signal: facts.signal,
    cancelled: cancel.signal,
  };
  // What would be sent ahead of the reply goes nowhere: the connection belongs to the misbehaviour.
  const honest = row.commits || plan.commit ? await core.reply(ask, { ...facts, send: () => {} }) : undefined;
  // A client that was greeted badly must still be able to go on.
  if (honest?.session !== undefined) response.setHeader(SESSION, honest.session);
  const running = core.world.sessions.get(facts.session ?? "")?.running;
  if (ask.id !== undefined) running?.set(ask.id, cancel);
  try {
    if (row.commits) await row.act(turn, honest?.message ?? {});
    else await row.act(turn);
  } finally {
    if (ask.id !== undefined) running?.delete(ask.id);
  }
}
