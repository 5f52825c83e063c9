import { auth, core, type Fault } from "@recourse/faults";

/**
 * The one refusal. Missing, malformed, unknown, revoked and expired credentials, a wrong audience and a bad signature all end
 * with this value, so that no answer says why.
 */
export const REFUSED: Fault = auth.unauthorized.fault();

/** The answer where it cannot be found out who calls. It is never a refusal: the credential may be good. */
export const UNDECIDED: Fault = core.unavailable.fault({}, { effect: "none", afterMs: 1_000 });
