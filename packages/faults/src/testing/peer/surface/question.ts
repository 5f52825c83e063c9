import { type Json, objectAt } from "../../../dialects/wire.ts";
import { missing_client_capability } from "../../../reasons/library/protocol.ts";
import { within } from "../clock.ts";
import type { Context } from "./world.ts";

/** A question to the client: what it is, and how it may fail. */
export interface Question {
  readonly capability: "sampling" | "elicitation";
  readonly method: string;
  readonly params: Json;
  readonly refused: () => Error;
  readonly late: () => Error;
}

/** Asks the client and gives the result of its answer; clients that never said that they can are not asked. */
export async function askClient(context: Context, question: Question): Promise<Json> {
  const { world, session, signal, send } = context;
  const { capability, method, params, refused, late } = question;
  if (!Object.hasOwn(session.capabilities, capability)) throw missing_client_capability({ capabilities: [capability] });
  const id = world.mint("question");
  const token = world.mint("progress");
  world.tokens.set(token, "live");
  try {
    const answer = await within(world.limits.questionMs, { signal, late }, () => {
      const coming = new Promise<Json>((resolve) => session.asked.set(id, resolve));
      send({ jsonrpc: "2.0", id, method, params: { ...params, _meta: { progressToken: token } } });
      return coming;
    });
    const result = objectAt(answer, "result");
    if (result === undefined) throw refused();
    return result;
  } finally {
    session.asked.delete(id);
    world.tokens.set(token, "ended");
  }
}
