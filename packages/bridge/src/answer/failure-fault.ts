import { core, type Fault, rest, transport } from "@recourse/faults";
import type { Failure, Flaw, Why } from "../network/failure.ts";

/** What each way to get no answer means to a caller. Where requests may go, and how, is the operator's matter. */
const REASONS = {
  refused: core.misconfigured,
  misconfigured: core.misconfigured,
  unreachable: core.unavailable,
  lost: transport.connection_lost,
  late: core.timeout,
  unreadable: rest.unexpected_content,
  too_large: rest.response_too_large,
  busy: core.overloaded,
  cancelled: core.cancelled,
  closed: core.unavailable,
} as const satisfies Readonly<Record<Why, unknown>>;

/** What is known about a call that got no answer. */
export interface Unanswered {
  /** Whether the call may change anything. */
  readonly changes: boolean;
  /** Whether repeating it does no harm. */
  readonly repeatable: boolean;
}

/** The fault of a request without an answer: what never left changed nothing. */
export function failureFault({ why, sent }: Failure, { changes, repeatable }: Unanswered): Fault {
  const effect = sent && changes ? "possible" : "none";
  return REASONS[why].fault({}, { effect, ...(repeatable && { repeatable }) });
}

/** The fault of a good answer whose body did not come: the service has said yes. */
export function flawFault(flaw: Flaw, { changes, repeatable }: Unanswered): Fault {
  const effect = changes ? "applied" : "none";
  return REASONS[flaw].fault({}, { effect, ...(repeatable && { repeatable }) });
}
