import { openPool } from "@recourse/test-kit/postgres";
import type pg from "pg";
import { createApiKey } from "../../src/auth/api-keys.ts";
import type { OpenAuthenticator } from "../../src/auth/authenticator.ts";
import type { Caller } from "../../src/call/caller.ts";
import type { RequestHead } from "../../src/call/head.ts";
import type { KeyStore, NewKey } from "../../src/stores/keys.ts";
import { headWith } from "../support/head.ts";

/** A clock that a test moves. */
export function fakeClock(startMs = Date.UTC(2026, 10, 16)) {
  let at = 0;
  return {
    now: () => startMs + at,
    elapsed: () => at,
    pass(ms: number) {
      at += ms;
    },
  };
}

/** A pool that does not wait long for a database that is down. */
export function poolOf(url: string, max = 4): pg.Pool {
  return openPool(url, { max, connectionTimeoutMillis: 500 });
}

/** Stores a new key and gives it. */
export async function storeKey(keys: KeyStore, facts: Partial<NewKey> = {}): Promise<string> {
  const { key, prefix, sha256 } = createApiKey();
  const owner = { id: "ci", tenant: "acme", tools: ["*"], scopes: [], entitlements: [] };
  const row = { ...owner, dialect: undefined, expires: undefined, ...facts };
  await keys.add({ ...row, prefix, sha256: Buffer.from(sha256, "hex") });
  return key;
}

export function headOf(credential: string | undefined): RequestHead {
  return headWith({ authorization: credential === undefined ? undefined : `Bearer ${credential}` });
}

/** How a credential is answered: the caller's subject, or the kind of the fault. */
export async function answerTo({ authenticator }: OpenAuthenticator, credential: string | undefined): Promise<string> {
  const found = await authenticator(headOf(credential));
  return "kind" in found ? found.kind : (found satisfies Caller).subject;
}

/** A key store that remembers what it was asked, and how many answers it gave. */
export function counting(keys: KeyStore) {
  const asked: string[] = [];
  const counts = { answered: 0 };
  const find = async (prefix: string) => {
    asked.push(prefix);
    const found = await keys.find(prefix);
    counts.answered += 1;
    return found;
  };
  return { ...keys, find, asked, counts };
}
