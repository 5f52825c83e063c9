import { type Fault, knownKind, rest, tool } from "@recourse/faults";
import { amendFault } from "@recourse/faults/internal-do-not-use";

/** Statuses that are about a credential. */
const CREDENTIAL_STATUSES = [401, 403, 407];

/**
 * An upstream sees the credential of the gateway, never that of the caller. So what it says about a credential is nothing that
 * the caller could act on: the upstream is not available to it, and an operator has to look.
 */
export function hideOwnCredential(fault: Fault, status: number): Fault {
  const kind = knownKind(fault);
  const { effect, basis } = fault;
  // A proxy before the upstream has refused to pass the request on.
  if (status === 407 && basis !== "stated") return rest.upstream_auth.fault({}, { basis });
  // A sentence of a tool proves nothing about the credential, and the caller cannot sign in there.
  if (kind === "unauthenticated" && basis === "guessed") return sentenceHidden(fault);
  if (kind === "unauthenticated") return rest.upstream_auth.fault({}, { effect, basis });
  // A tool may refuse a call for reasons of its own. A status refuses the request.
  if (kind === "forbidden" && CREDENTIAL_STATUSES.includes(status))
    return rest.upstream_forbidden.fault({}, { effect, basis });
  const moves = fault.recourse.filter((move) => move.do !== "authenticate");
  if (moves.length === fault.recourse.length) return fault;
  const [first = { do: "stop" } as const, ...more] = moves;
  return amendFault(fault, { recourse: [first, ...more] });
}

/** The same failure without its sentence, and without what was guessed from it. */
function sentenceHidden({ effect }: Fault): Fault {
  return tool.failed.fault({}, { effect, basis: "mapped", recourse: [{ do: "refresh" }, { do: "stop" }] });
}
