import { guardCalls } from "./calls/calls.ts";
import { Schemas } from "./calls/schemas.ts";
import { guardTasks } from "./calls/tasks.ts";
import { Reporter } from "./incidents/reporter.ts";
import { guardMethods } from "./methods/methods.ts";
import type { GuardCounts, GuardOptions } from "./options.ts";
import { asPeer, type PeerProtocol } from "./peer.ts";
import { guardSending } from "./sending/sending.ts";

/** Marks a guarded server: a property costs nothing, where a WeakMap with a server per request keeps the collector busy. */
const GUARD = Symbol("recourse/guard");
interface Guarded {
  [GUARD]?: Reporter;
}

/**
 * Makes every failure of an `McpServer` (SDK 1 or 2) an answer that says what to do next, and gives the same server back.
 * Its handlers stay as they are, whether registered before or after; no text, code or data of a foreign error leaves it.
 */
export function guard<T extends object>(server: T, options: GuardOptions = {}): T {
  if (reporterOf(server) !== undefined) return server;
  const peer = asPeer(server);
  const reporter = new Reporter(options);
  guardCalls(peer, options, reporter, new Schemas(peer.server));
  guardMethods(peer, options, reporter);
  guardSending(peer, options, reporter);
  guardTasks(peer, options, reporter);
  announce(peer.server, options.keys !== undefined);
  (server as Guarded)[GUARD] = reporter;
  return server;
}

/** What a guarded server counted, or undefined for one that is not guarded. */
export function guardCounts(server: object): GuardCounts | undefined {
  return reporterOf(server)?.counts;
}

function reporterOf(server: object): Reporter | undefined {
  return (server as Guarded)[GUARD];
}

/** Tells clients that faults travel whole; a server that is connected already can no longer tell. */
function announce(protocol: PeerProtocol, keys: boolean): void {
  try {
    protocol.registerCapabilities?.({ extensions: { "recourse/faults": { v: 1, keys } } });
  } catch {
    // It only informs.
  }
}
