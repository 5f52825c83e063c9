import { core, type Fault, protect } from "@recourse/faults";
import { type Credential, type Occasion, type Proof, takesToken } from "./credential.ts";
import { headerValue } from "./header-value.ts";
import { type ClientCredentialsOptions, requestToken, type TokenEndpoint } from "./token-request.ts";

interface Token {
  readonly value: string;
  /** When it is no longer used, in ms since 1970. */
  readonly until: number;
  readonly release: () => void;
}

type Fetched =
  | { readonly ok: true; readonly token: Token }
  | { readonly ok: false; readonly fault: Fault; readonly cause?: unknown };

/** A token is renewed this long before it ends: it still has to arrive. */
const MARGIN_MS = 10_000;

/** A token that this server gets for itself by OAuth 2.0 client credentials: kept while it lasts, asked for once at a time. */
export function clientCredentials(options: ClientCredentialsOptions): Credential {
  const endpoint: TokenEndpoint = {
    ...options,
    url: new URL(options.tokenUrl),
    clientSecret: headerValue(options.clientSecret, "client secret"),
  };
  let held: Token | undefined;
  let pending: Promise<Fetched> | undefined;

  function drop(token: Token | undefined): void {
    if (token === undefined || held !== token) return;
    held = undefined;
    token.release();
  }

  async function fetchToken({ network, now }: Occasion): Promise<Fetched> {
    const asked = now();
    const got = await requestToken(endpoint, network, now);
    if (!got.ok) return got;
    const until = got.expiresInMs === undefined ? Infinity : asked + Math.max(got.expiresInMs - MARGIN_MS, 0);
    drop(held);
    held = { value: got.value, until, release: protect(got.value) };
    return { ok: true, token: held };
  }

  async function current(occasion: Occasion): Promise<Fetched> {
    if (held !== undefined && held.until > occasion.now()) return { ok: true, token: held };
    // All who need a token at the same time wait for the same one, whoever of them gives up.
    pending ??= fetchToken(occasion).finally(() => {
      pending = undefined;
    });
    return pending;
  }

  return {
    owner: "own",
    secrets: [endpoint.clientSecret],
    fits: takesToken,
    async prove(_, occasion): Promise<Proof> {
      const got = await unlessAborted(current(occasion), occasion.signal);
      if (got === undefined) return { ok: false, fault: core.cancelled.fault({}, { effect: "none" }) };
      if (!got.ok) return got;
      const { token } = got;
      const renew = () => {
        drop(token);
        return true;
      };
      return { ok: true, added: { headers: { authorization: `Bearer ${token.value}` } }, secrets: [], renew };
    },
    close: () => drop(held),
  };
}

/** What a promise gives, or undefined as soon as nobody waits for it. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  if (signal === undefined) return promise;
  if (signal.aborted) return undefined;
  const aborted = Promise.withResolvers<undefined>();
  const onAbort = () => aborted.resolve(undefined);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
