import type { Fault } from "../fault/fault.ts";
import { knownKind } from "../fault/kinds.ts";
import { fingerprint } from "./fingerprint.ts";
import { atLeast } from "./policy.ts";
import { settle } from "./settle.ts";

/** When equal failures count as a loop. */
export interface LoopGuardOptions {
  /** How many equal failures make a loop. */
  readonly limit?: number | undefined;
  /** How many different failures are remembered; the oldest is forgotten first. */
  readonly remembered?: number | undefined;
}

/** What one failed call cost. */
export interface Spent {
  readonly attempts: number;
  readonly elapsedMs: number;
}

/** Notices that a conversation makes the same failing call again and again. */
export interface LoopGuard {
  /** Takes note of a failure; from the limit on, the fault comes back telling to stop. */
  failed(tool: string, fault: Fault, spent: Spent): Fault;
  /** Takes note of a success of any tool: whoever makes progress is not in a loop. */
  succeeded(): void;
}

const STOP = Object.freeze([Object.freeze({ do: "stop" as const })] as const);

/** Creates the loop guard of one conversation. */
export function createLoopGuard(options: LoopGuardOptions = {}): LoopGuard {
  const limit = atLeast(1, options.limit, 3);
  const remembered = atLeast(1, options.remembered, 256);
  const seen = new Map<string, Spent & { readonly times: number }>();
  return {
    failed(tool, fault, spent) {
      // Who cancels a call is not going round in circles, nor is one whose call was held back here.
      if (knownKind(fault) === "cancelled" || spent.attempts === 0) return fault;
      const key = `${tool}\n${fingerprint(fault)}`;
      const before = seen.get(key);
      const times = (before?.times ?? 0) + 1;
      const attempts = (before?.attempts ?? 0) + spent.attempts;
      const elapsedMs = (before?.elapsedMs ?? 0) + spent.elapsedMs;
      seen.delete(key);
      seen.set(key, { times, attempts, elapsedMs });
      if (seen.size > remembered) seen.delete(seen.keys().next().value ?? "");
      if (times < limit) return fault;
      return settle(fault, { recourse: STOP, tried: { attempts, elapsedMs, stopped: "looping" } });
    },
    succeeded() {
      seen.clear();
    },
  };
}
