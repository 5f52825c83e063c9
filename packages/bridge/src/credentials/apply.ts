import type { Fault } from "@recourse/faults";
import type { HttpRequest } from "../request/request.ts";
import type { Use } from "./choose.ts";
import type { Added, Occasion } from "./credential.ts";

/** A request with its credentials, or why there are none. */
export type Proven =
  | {
      readonly ok: true;
      readonly request: HttpRequest;
      readonly secrets: readonly string[];
      /** The service refused a credential; true when it is worth another try. */
      readonly renew: () => boolean;
    }
  | { readonly ok: false; readonly fault: Fault; readonly cause?: unknown };

/** Adds credentials to a request. */
export async function withCredentials(request: HttpRequest, uses: readonly Use[], occasion: Occasion): Promise<Proven> {
  let proven = request;
  const secrets: string[] = [];
  const renewals: (() => boolean)[] = [];
  for (const { credential, scheme } of uses) {
    const proof = await credential.prove(scheme, occasion);
    if (!proof.ok) return proof;
    proven = add(proven, proof.added);
    secrets.push(...proof.secrets);
    if (proof.renew !== undefined) renewals.push(proof.renew);
  }
  return { ok: true, request: proven, secrets, renew: () => renewals.filter((renew) => renew()).length > 0 };
}

/** Adds what a credential says; what a caller wrote at the same place goes. */
function add(request: HttpRequest, { headers = {}, query = {}, cookies = {} }: Added): HttpRequest {
  const url = new URL(request.url);
  url.search = joined(url.search.slice(1), "&", query, encodeURIComponent);
  const cookie = joined(request.headers["cookie"] ?? "", "; ", cookies, String);
  return { ...request, url, headers: { ...request.headers, ...headers, ...(cookie !== "" && { cookie }) } };
}

function joined(
  text: string,
  separator: string,
  added: Readonly<Record<string, string>>,
  encode: (text: string) => string,
): string {
  const pairs = Object.entries(added).map(([name, value]) => [encode(name), encode(value)] as const);
  const names = new Set(pairs.map(([name]) => name));
  const kept = text.split(separator).filter((piece) => piece !== "" && !names.has(piece.split("=", 1)[0] ?? ""));
  return [...kept, ...pairs.map((pair) => pair.join("="))].join(separator);
}
