import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { CallRunner } from "./call-runner.ts";

/** Requests that were on their way when the gateway began to stop still arrive within this time. */
const QUIET_MS = 200;
/** How long the answers to calls that were ended may take to be written. */
const LAST_ANSWERS_MS = 1_000;

/** What is under way. */
export type Running = Pick<CallRunner, "idle" | "size" | "abortAll">;

/**
 * Stops a server without dropping calls: no connection is accepted any longer, those that are open get an answer to what is
 * on its way and are closed by it. What has not ended after `drainMs` is ended.
 */
export async function closeGently(server: Server, runner: Running, drainMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    // The close of an HTTP server also cuts idle connections, on which a request may just be on its way.
    NetServer.prototype.close.call(server, () => resolve());
  });
  const drained = AbortSignal.timeout(drainMs);
  do {
    await runner.idle(drained);
    await wait(Math.min(QUIET_MS, drainMs));
  } while (runner.size > 0 && !drained.aborted);
  if (runner.size > 0) {
    runner.abortAll();
    await runner.idle(AbortSignal.timeout(LAST_ANSWERS_MS));
  }
  server.close(() => {});
  server.closeIdleConnections();
  await Promise.race([closed, wait(LAST_ANSWERS_MS)]);
  server.closeAllConnections();
  await closed;
}
