import type { Fault } from "../fault/fault.ts";
import { knownKind } from "../fault/kinds.ts";
import { canonicalWithin } from "../wire/json.ts";
import { NewestMap } from "../wire/newest-map.ts";
import { concludeFault, type Spent } from "./decide.ts";

interface RepeatedCall {
  readonly tool: string;
  readonly arguments?: unknown;
}

/** How many equal failures of equal calls count as a loop. */
const LOOP_FAILURES = 3;
const MAX_REMEMBERED_FAILURES = 256;

/** Notices that a conversation makes the same call again and again, and that it fails the same way each time. */
export interface LoopGuard {
  /**
   * Records the failure of a call. From the limit on, the returned fault says `stop`. Calls with other arguments are other
   * calls, and so are all calls whose arguments are too large to compare.
   */
  failed(call: RepeatedCall, fault: Fault, spent: Spent): Fault;
  /** Records a success of any tool. A conversation that makes progress is not in a loop. */
  succeeded(): void;
}

/** Two failures are the same if they have the same reason, kind and wrong arguments. Their text does not matter. */
export function fingerprint(fault: Fault): string {
  const issues = (fault.issues ?? []).map(({ pointer, rule }) => `${pointer} ${rule}`);
  return [fault.reason, fault.kind, ...[...new Set(issues)].sort()].join("\n");
}

const STOP_MOVES = /* @__PURE__ */ Object.freeze([/* @__PURE__ */ Object.freeze({ do: "stop" as const })] as const);

/** Creates the loop guard of one conversation. */
export function createLoopGuard(): LoopGuard {
  const failures = new NewestMap<string, number>(MAX_REMEMBERED_FAILURES);
  return {
    failed({ tool, arguments: args }, fault, spent) {
      // A cancelled call is not part of a loop, and neither is a call that was never sent.
      if (knownKind(fault) === "cancelled" || spent.attempts === 0) return fault;
      const compared = canonicalWithin(args ?? {}, MAX_COMPARED_CHARACTERS);
      if (compared === undefined) return fault;
      const key = `${tool}\n${compared}\n${fingerprint(fault)}`;
      const times = (failures.get(key) ?? 0) + 1;
      failures.set(key, times);
      if (times < LOOP_FAILURES) return fault;
      return concludeFault(fault, {
        recourse: STOP_MOVES,
        tried: { ...spent, stopped: "looping", equalFailures: times },
      });
    },
    succeeded() {
      failures.clear();
    },
  };
}

/** The most characters of JSON that are compared. Hardly any call has more, and they are kept for each failure. */
const MAX_COMPARED_CHARACTERS = 65_536;
