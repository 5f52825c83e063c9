import type { Client } from "@modelcontextprotocol/client";
import { render } from "@recourse/faults";
import { recourse, type TransportObserver } from "@recourse/faults/client";
import type { Clock } from "./clock.ts";
import type { Call } from "./model.ts";

/** What the wise way is given. */
export interface WiseOptions {
  readonly client: Client;
  readonly watched: TransportObserver;
  readonly clock: Clock;
  /** Every call carries an idempotency key. */
  readonly keys?: boolean;
}

/** The same with Recourse: it repeats only what may be repeated, and says why when it stops. */
export function wiseCall({ client, watched, clock, keys = false }: WiseOptions): Call {
  const { now, sleep } = clock;
  const mcp = recourse(client, {
    transport: watched,
    testing: { clock: { now, monotonic: now, sleep }, random: () => 0.5 },
    deadlineMs: 30_000,
  });
  return async (tool) => {
    const outcome = await mcp.call(tool, { order: 7 }, keys ? { idempotencyKey: `order-7-${tool}` } : {});
    if (outcome.ok === false) return { ok: false, text: render(outcome.fault, { for: "model" }) };
    return { ok: true, text: "" };
  };
}
