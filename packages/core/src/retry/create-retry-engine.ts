// Apart from the engine: what reads thrown errors is large, and the client, whose attempts never throw, does without.

import { convertThrown } from "../reasons/thrown/to-fault.ts";
import { CLIENT_LAYER, createEngine, type RetryEngine, type RetryEngineOptions } from "./engine.ts";

/**
 * Creates the retry engine of one server. All its calls share one budget and the circuit breakers: one for the server, which
 * opens when it cannot be reached, and one for each tool, which opens when the tool fails.
 *
 * @example
 * const engine = createRetryEngine({ policy: { attempts: 4 } });
 * const outcome = await engine.run({ tool: "search", repeatable: true, deadlineMs: 30_000 }, async ({ signal }) => {
 *   const result = await search(query, { signal });
 *   return { ok: true, result };
 * });
 */
export function createRetryEngine(options: RetryEngineOptions = {}): RetryEngine {
  return createEngine(options, (thrown) => convertThrown(thrown, { origin: CLIENT_LAYER, foreignText: "hide" }).fault);
}
