import type { Fault } from "../fault/fault.ts";
import { knownKind } from "../fault/kinds.ts";
import type { RetryCall } from "./call.ts";
import { concludeFault, type Spent } from "./conclude.ts";
import { digestArguments } from "./digest-arguments.ts";
import { atLeast } from "./policy.ts";

/** Options of a loop guard. */
export interface LoopGuardOptions {
  /** How many equal failures of equal calls count as a loop. @default 3 */
  readonly limit?: number | undefined;
  /** How many different failures are remembered. The oldest is forgotten first. @default 256 */
  readonly remembered?: number | undefined;
}

/** Notices that a conversation makes the same call again and again, and that it fails the same way each time. */
export interface LoopGuard {
  /**
   * Records the failure of a call. From the limit on, the returned fault says `stop`. Calls with other arguments are other
   * calls, and so are all calls whose arguments are too large to compare.
   */
  failed(call: Pick<RetryCall, "tool" | "arguments">, fault: Fault, spent: Spent): Fault;
  /** Records a success of any tool. A conversation that makes progress is not in a loop. */
  succeeded(): void;
}

/** Two failures are the same if they have the same reason, kind and wrong arguments. Their text does not matter. */
export function fingerprint(fault: Fault): string {
  const issues = (fault.issues ?? []).map(({ pointer, rule }) => `${pointer} ${rule}`);
  return [fault.reason, fault.kind, ...[...new Set(issues)].sort()].join("\n");
}

const STOP = Object.freeze([Object.freeze({ do: "stop" as const })] as const);

/**
 * Creates the loop guard of one conversation.
 *
 * @example
 * const guard = createLoopGuard({ limit: 3 });
 * const outcome = await engine.run({ tool: "search", repeatable: true, guard }, attempt);
 */
export function createLoopGuard(options: LoopGuardOptions = {}): LoopGuard {
  const limit = atLeast(1, options.limit, 3);
  const remembered = atLeast(1, options.remembered, 256);
  const failures = new Map<string, number>();
  return {
    failed({ tool, arguments: args }, fault, spent) {
      // A cancelled call is not part of a loop, and neither is a call that was never sent.
      if (knownKind(fault) === "cancelled" || spent.attempts === 0) return fault;
      const digest = digestArguments(args);
      if (digest === undefined) return fault;
      const key = `${tool}\n${digest}\n${fingerprint(fault)}`;
      const times = (failures.get(key) ?? 0) + 1;
      failures.delete(key);
      failures.set(key, times);
      if (failures.size > remembered) failures.delete(failures.keys().next().value ?? "");
      if (times < limit) return fault;
      return concludeFault(fault, { recourse: STOP, tried: { ...spent, stopped: "looping", equalFailures: times } });
    },
    succeeded() {
      failures.clear();
    },
  };
}
