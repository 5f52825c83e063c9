import { randomBytes } from "node:crypto";
import { hasHandshake, REVISIONS, type Revision } from "@recourse/core/wire";
import { BoundedMap } from "../auth/credential-cache.ts";
import { fromFlags, readAbilities, toFlags } from "../call/abilities.ts";
import { isSameText, signList } from "../call/binding.ts";
import type { Holder } from "../call/caller.ts";
import type { CallerSession } from "../call/session.ts";

interface SessionBeginning {
  readonly capabilities: unknown;
  readonly revision: Revision;
}

interface OpenedSession {
  readonly id: string;
  readonly session: CallerSession;
}

/**
 * The sessions of callers of the older era. An id is signed and bound to its caller, so that every replica knows it without a
 * store: all that was agreed on is inside.
 */
export interface CallerSessions {
  open(caller: Pick<Holder, "id">, beginning: SessionBeginning): OpenedSession;
  /** The session of an id that was opened for this caller; undefined if it was not, or long ago. */
  find(caller: Pick<Holder, "id">, id: string): CallerSession | undefined;
}

interface CallerSessionsOptions {
  readonly now?: () => number;
}

/** How long a session lasts. A client whose session is over begins a new one. */
export const SESSION_MS = 7 * 24 * 3_600_000;

const NONCE_BYTES = 12;
/** Ids that were found to be good are remembered: most calls name one of them. */
const MAX_VERIFIED = 20_000;

/** Version, nonce, time of its end in seconds, revision, flags of the abilities, signature. */
const SESSION_FORM = /^s1\.([\w-]{16})\.([1-9]\d{0,11})\.([\d-]{10})\.([a-z]{0,16})\.[\w-]{43}$/;

interface SessionContents {
  readonly nonce: string;
  readonly ends: number;
  readonly revision: Revision;
  readonly flags: string;
}

interface VerifiedSession {
  readonly caller: string;
  readonly session: CallerSession;
}

export function createCallerSessions(secret: Buffer, { now = Date.now }: CallerSessionsOptions = {}): CallerSessions {
  const verified = new BoundedMap<VerifiedSession>(MAX_VERIFIED);

  function write(caller: string, { nonce, ends, revision, flags }: SessionContents): string {
    const signature = signList(secret, ["session/1", caller, nonce, ends, revision, flags]);
    return `s1.${nonce}.${ends}.${revision}.${flags}.${signature}`;
  }

  function verify(caller: string, id: string): CallerSession | undefined {
    const [, nonce = "", end, version, flags = ""] = SESSION_FORM.exec(id) ?? [];
    const revision = REVISIONS.find((one) => one === version);
    if (revision === undefined || !hasHandshake(revision)) return undefined;
    const ends = Number(end);
    if (!isSameText(id, write(caller, { nonce, ends, revision, flags }))) return undefined;
    return { nonce, revision, abilities: fromFlags(flags), expiresMs: ends * 1_000 };
  }

  return {
    open(caller, { capabilities, revision }) {
      const abilities = readAbilities(capabilities);
      const nonce = randomBytes(NONCE_BYTES).toString("base64url");
      const ends = Math.ceil((now() + SESSION_MS) / 1_000);
      const id = write(caller.id, { nonce, ends, revision, flags: toFlags(abilities) });
      return { id, session: { nonce, revision, abilities, expiresMs: ends * 1_000 } };
    },
    find(caller, id) {
      let known = verified.get(id);
      if (known === undefined) {
        const session = verify(caller.id, id);
        if (session === undefined) return undefined;
        known = { caller: caller.id, session };
        verified.set(id, known);
      }
      return known.caller === caller.id && known.session.expiresMs > now() ? known.session : undefined;
    },
  };
}
