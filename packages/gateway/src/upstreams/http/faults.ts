import { core, type Fault, protocol, tool, transport } from "@recourse/faults";
import { amendFault, readFailure } from "@recourse/faults/internal-do-not-use";
import type { Ended } from "./exchange.ts";

/** A request that ended without an answer. */
export type Unanswered = Exclude<Ended, { how: "answered" }>;

/** What is known about a request beside how it ended. */
export interface UnansweredFacts {
  /** How long an answer was waited for. */
  readonly limitMs: number;
  readonly maxAnswerBytes: number;
  readonly isSession: boolean;
}

const TRANSPORT = { origin: { layer: "transport" } } as const;
const UPSTREAM = { origin: { layer: "upstream" }, effect: "possible" } as const;

/** The fault of a request that ended without an answer, by the rules of the client. Names of hosts stay in the cause. */
export function unansweredFault(ended: Unanswered, facts: UnansweredFacts): Fault {
  const { phase, error } = ended;
  const record = { phase, exchanges: 1, startedMs: 0, error };
  const context = { session: facts.isSession, limitMs: facts.limitMs, record };
  switch (ended.how) {
    case "aborted":
    case "late":
      return readFailure({ how: ended.how }, context) ?? transport.failed.fault({}, TRANSPORT);
    case "lost":
      return transport.connection_lost.fault({}, TRANSPORT);
    case "too_large":
      return tool.result_too_large.fault({ maxSize: facts.maxAnswerBytes }, UPSTREAM);
    case "over_budget":
      return core.overloaded.fault({}, { origin: { layer: "gateway" }, effect: "possible" });
    case "threw": {
      const fault = readFailure({ how: "threw", error }, context) ?? transport.failed.fault({}, TRANSPORT);
      return phase === "connect" ? unsent(fault) : fault;
    }
    default:
      return ended.how satisfies never;
  }
}

/** Nothing had left, whatever the error alone would mean. */
function unsent(fault: Fault): Fault {
  if (fault.reason === core.misconfigured.id) return amendFault(fault, { effect: "none" });
  return fault.effect === "none" ? fault : transport.unreachable.fault({}, TRANSPORT);
}

/** An answer that is not one of the protocol. The call may have been served. */
export function invalidAnswer(): Fault {
  return protocol.invalid_result.fault({}, UPSTREAM);
}

/** Statuses of a redirect that say that the request was not served at this address. */
const UNSERVED: ReadonlySet<number> = new Set([301, 307, 308]);

/** Redirects are never followed: the credential of the upstream would go elsewhere. */
export function redirectFault(status: number): Fault {
  const effect = UNSERVED.has(status) ? "none" : "possible";
  return core.misconfigured.fault({}, { origin: { layer: "upstream" }, effect });
}
