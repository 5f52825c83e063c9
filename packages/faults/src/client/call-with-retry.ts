import { relayOf } from "../dialects/prose.ts";
import { qaqnuz } from "../dialects/qaqnuz/qaqnuz.ts";
import { FaultError } from "../fault/error.ts";
import type { Fault } from "../fault/fault.ts";
import { type RecourseClient, recourse } from "./recourse.ts";
import type { ClientLike, ResultOf } from "./types.ts";

/** One for each client and number of attempts, so that budget and breaker remember earlier calls. */
const known = new WeakMap<object, Map<number, RecourseClient>>();

/**
 * Calls a tool of a server that reports failures in qaqnuz's five classes, repeats the call where that is safe, and
 * throws a FaultError whose message is `call_tool NAME failed: …`.
 */
export async function callWithRetry<C extends ClientLike>(
  client: C,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  maxAttempts = 3,
): Promise<ResultOf<C, "callTool">> {
  const outcome = await recourseFor(client, maxAttempts).call(name, args);
  if (outcome.ok === false) throw errorFor(name, outcome.fault);
  return outcome.result as ResultOf<C, "callTool">;
}

function recourseFor(client: ClientLike, attempts: number): RecourseClient {
  const byAttempts = known.get(client) ?? new Map<number, RecourseClient>();
  known.set(client, byAttempts);
  const one = byAttempts.get(attempts) ?? recourse(client, { policy: { attempts }, dialect: qaqnuz });
  byAttempts.set(attempts, one);
  return one;
}

/** The error says which call failed, and what the server said about it. */
function errorFor(name: string, fault: Fault): FaultError {
  const error = new FaultError(fault);
  error.message = `call_tool ${name} failed: ${relayOf(fault) ?? fault.message}`;
  // The stack shows the message of the moment when it was taken.
  Error.captureStackTrace?.(error, callWithRetry);
  return error;
}
