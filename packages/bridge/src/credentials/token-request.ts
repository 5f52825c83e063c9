import { type Fault, rest } from "@recourse/faults";
import { http } from "@recourse/faults/dialects";
import { withEffect } from "../answer/effect.ts";
import { failureFault } from "../answer/failure-fault.ts";
import { UpstreamReply } from "../answer/upstream-reply.ts";
import { memberAt, stringAt } from "../document/json.ts";
import type { Network } from "../network/network.ts";
import { isHeaderValue } from "./header-value.ts";

/** What OAuth 2.0 needs to give this server a token of its own. */
export interface ClientCredentialsOptions {
  readonly tokenUrl: string | URL;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes?: readonly string[];
  readonly audience?: string;
  /** How the client proves itself to the token endpoint; `basic` unless told. */
  readonly auth?: "basic" | "body";
}

/** Where a token comes from. */
export interface TokenEndpoint extends Omit<ClientCredentialsOptions, "tokenUrl"> {
  readonly url: URL;
}

/** A token, or why there is none; the call that needs it has not left yet. */
export type Requested =
  | { readonly ok: true; readonly value: string; readonly expiresInMs: number | undefined }
  | { readonly ok: false; readonly fault: Fault; readonly cause?: unknown };

/** Asks for a token. */
export async function requestToken(endpoint: TokenEndpoint, network: Network, now: () => number): Promise<Requested> {
  const ended = await network.send(tokenRequest(endpoint));
  if (!ended.ok) {
    const fault = failureFault(ended.failure, { changes: false, repeatable: true });
    return { ok: false, fault, cause: ended.failure.cause };
  }
  const { status, headers, body } = ended.reply;
  const text = new TextDecoder().decode(body);
  const token = tokenIn(text);
  if (status === 200 && token !== undefined) return { ok: true, ...token };
  const context = { credential: "own", httpMethod: "GET", now: now(), expects: "json" } as const;
  // What the endpoint says about the client is for the operator; to the caller the service is away.
  const decoded = http.decode({ status, headers, body: undefined }, context) ?? rest.upstream_auth.fault();
  const fault = decoded.class === "retryable" || decoded.class === "dependency" ? decoded : rest.upstream_auth.fault();
  return { ok: false, fault: withEffect(fault, "none"), cause: new UpstreamReply("the token endpoint", status, text) };
}

function tokenRequest({ url, clientId, clientSecret, scopes, audience, auth = "basic" }: TokenEndpoint) {
  const form = new URLSearchParams({ grant_type: "client_credentials" });
  if (scopes !== undefined && scopes.length > 0) form.set("scope", scopes.join(" "));
  if (audience !== undefined) form.set("audience", audience);
  if (auth === "body") {
    form.set("client_id", clientId);
    form.set("client_secret", clientSecret);
  }
  const pair = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString("base64");
  return {
    method: "POST",
    url,
    headers: {
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
      ...(auth === "basic" && { authorization: `Basic ${pair}` }),
    },
    body: form.toString(),
  } as const;
}

function tokenIn(text: string): Pick<Extract<Requested, { ok: true }>, "value" | "expiresInMs"> | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  const value = memberAt(body, "access_token");
  const type = stringAt(body, "token_type") ?? "bearer";
  if (!isHeaderValue(value) || /\s/.test(value) || type.toLowerCase() !== "bearer") return undefined;
  const seconds = Number(memberAt(body, "expires_in") ?? Number.NaN);
  return { value, expiresInMs: seconds >= 0 ? seconds * 1_000 : undefined };
}
