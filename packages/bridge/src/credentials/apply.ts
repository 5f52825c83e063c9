import type { Fault, SecretFilter } from "@recourse/faults";
import { credentialFilter } from "@recourse/faults/internal-do-not-use";
import type { HttpRequest } from "../request/build-request.ts";
import type { CredentialUse } from "./choose.ts";
import type { CredentialContext, CredentialParts } from "./credential.ts";

/** A request with its credentials, or why there are none. */
export type AuthenticatedRequest =
  | {
      readonly ok: true;
      readonly request: HttpRequest;
      /** Finds the credentials that came with the caller's request; undefined where there are none. */
      readonly secrets: SecretFilter | undefined;
      /** Called when the service refused the request. Returns true when another attempt makes sense. */
      readonly renew: () => boolean;
    }
  | { readonly ok: false; readonly fault: Fault; readonly cause?: unknown };

/** Adds credentials to a request. */
export async function applyCredentials(
  request: HttpRequest,
  uses: readonly CredentialUse[],
  context: CredentialContext,
): Promise<AuthenticatedRequest> {
  let authenticated = request;
  const secrets: string[] = [];
  const renewals: (() => boolean)[] = [];
  for (const { credential, scheme } of uses) {
    const applied = await credential.apply(scheme, context);
    if (!applied.ok) return applied;
    authenticated = addParts(authenticated, applied.parts);
    secrets.push(...applied.secrets);
    if (applied.renew !== undefined) renewals.push(applied.renew);
  }
  return {
    ok: true,
    request: authenticated,
    secrets: credentialFilter(secrets),
    renew: () => renewals.filter((renew) => renew()).length > 0,
  };
}

/** Adds the parts of a credential. They replace what the arguments wrote under the same names. */
function addParts(request: HttpRequest, { headers = {}, query = {}, cookies = {} }: CredentialParts): HttpRequest {
  const url = new URL(request.url);
  url.search = mergePairs(url.search.slice(1), query, { separator: "&", encode: encodeURIComponent });
  const cookie = mergePairs(request.headers["cookie"] ?? "", cookies, { separator: "; ", encode: String });
  return { ...request, url, headers: { ...request.headers, ...headers, ...(cookie !== "" && { cookie }) } };
}

function mergePairs(
  text: string,
  added: Readonly<Record<string, string>>,
  { separator, encode }: { readonly separator: string; readonly encode: (text: string) => string },
): string {
  const pairs = Object.entries(added).map(([name, value]) => [encode(name), encode(value)] as const);
  const names = new Set(pairs.map(([name]) => name));
  const kept = text.split(separator).filter((piece) => piece !== "" && !names.has(piece.split("=", 1)[0] ?? ""));
  return [...kept, ...pairs.map((pair) => pair.join("="))].join(separator);
}
