import { FAULTS_EXTENSION } from "../json/names.ts";
import { asSdkServer, type SdkProtocol } from "../sdk/server.ts";
import { guardTasks } from "./calls/tasks.ts";
import { guardToolCalls } from "./calls/tool-calls.ts";
import { checkDeadline } from "./deadline.ts";
import { setCallerRule } from "./idempotency/caller.ts";
import type { GuardOptions, GuardStats } from "./options.ts";
import { answerFacts, withDialectText } from "./replies/dialect-choice.ts";
import { guardReplies } from "./replies/guard-replies.ts";
import { requestOf, writeReply } from "./replies/reply.ts";
import { Reporter } from "./reporter.ts";
import { guardRequests } from "./requests/guard-requests.ts";

/** Marks a guarded server. A property costs nothing; a WeakMap with a server per request keeps the collector busy. */
const GUARD = Symbol("recourse/guard");
interface Guarded {
  [GUARD]?: Reporter;
}

/**
 * Turns every failure of an `McpServer` (SDK 1.24 and later, or 2.x) into an answer that says what to do next, and returns
 * the same server. Handlers stay as they are, whether you register them before or after. Of foreign errors, callers read only
 * the text that was written for callers, filtered and quoted; `foreignText` changes that.
 *
 * It throws a TypeError where the server is not an `McpServer` that it knows.
 *
 * @example
 * const server = guard(new McpServer({ name: "orders", version: "1.0.0" }));
 */
export function guard<T extends object>(server: T, given: GuardOptions = {}): T {
  if (isGuarded(server)) return server;
  const options = withDialectText(given);
  const known = asSdkServer(server);
  checkDeadline(options.deadlineMs);
  const reporter = new Reporter(options, (fault, place) =>
    answerFacts(fault, writeReply(fault, place, options, known.server), options.dialect, requestOf(place)),
  );
  guardToolCalls(known, options, reporter);
  guardRequests(known, options, reporter);
  guardReplies(known, options, reporter);
  guardTasks(known, options, reporter);
  announce(known.server, options.idempotency !== undefined || options.honoursKeys === true);
  setCallerRule(server, options.caller);
  (server as Guarded)[GUARD] = reporter;
  return server;
}

/** Tells whether a server is guarded. */
export function isGuarded(server: object): boolean {
  return (server as Guarded)[GUARD] !== undefined;
}

/** What a guarded server has counted so far; all zero for a server that is not guarded. */
export function guardStats(server: object): GuardStats {
  return (server as Guarded)[GUARD]?.stats ?? { late: 0, looksFailed: 0, undeclared: 0 };
}

/** Tells clients that faults travel whole. A server that is already connected cannot announce it any more. */
function announce(protocol: SdkProtocol, keys: boolean): void {
  try {
    protocol.registerCapabilities?.({ extensions: { [FAULTS_EXTENSION]: { v: 1, keys } } });
  } catch {
    // The announcement only informs.
  }
}
