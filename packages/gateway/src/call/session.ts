import type { Revision } from "@recourse/core/wire";
import { type Abilities, NO_ABILITIES, toFlags } from "./abilities.ts";
import type { Holder } from "./caller.ts";

/** A session of a caller of the older era. Its id is signed and bound to the caller, and says all that is known here. */
export interface CallerSession {
  /** Tells the sessions of one caller apart; a part of the id, and the same at every replica. */
  readonly nonce: string;
  /** The revision that was agreed on. */
  readonly revision: Revision;
  /** What the caller can be asked for. */
  readonly abilities: Abilities;
  /** Time of day in ms from which the id is refused. */
  readonly expiresMs: number;
}

/**
 * Whose sessions of upstreams a call uses. Two callers never share one; neither do two sessions of a caller, nor calls without a
 * session whose caller can be asked for different things.
 */
export function upstreamSessionKey({ caller, session, abilities }: SessionUser): string {
  const id = caller?.id ?? "";
  if (session !== undefined) return `${id}\n${session.nonce}`;
  const flags = abilities === NO_ABILITIES ? "" : toFlags(abilities);
  return flags === "" ? id : `${id}\n${flags}`;
}

/** The facts of a call that tell sessions of upstreams apart. */
interface SessionUser {
  readonly caller: Pick<Holder, "id"> | undefined;
  readonly session: Pick<CallerSession, "nonce"> | undefined;
  readonly abilities: Abilities;
}
