// What stands between a caller and its server: a network that loses an answer, and a store of OAuth tokens.
import { OLD_TOKEN } from "./shop.ts";

/** A fetch that loses the answer of the first tool call, after the server has given it. */
export function loseFirstAnswer(): typeof fetch {
  let isLost = false;
  return async (input, init) => {
    const response = await fetch(input, init);
    if (isLost || !String(init?.body).includes('"tools/call"')) return response;
    isLost = true;
    await response.arrayBuffer();
    throw new TypeError("fetch failed", { cause: Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }) });
  };
}

/** What the transports of the SDK need to get a new token by themselves. Its first token has expired. */
export function refreshingProvider(issuer: string): object {
  let tokens: object = { access_token: OLD_TOKEN, refresh_token: "refresh", token_type: "Bearer", issuer };
  const redirectUrl = "http://127.0.0.1/back";
  const client = { client_id: "agent", redirect_uris: [redirectUrl], issuer };
  return {
    redirectUrl,
    clientMetadata: client,
    clientInformation: () => client,
    tokens: () => tokens,
    saveTokens: (next: object) => {
      tokens = next;
    },
    redirectToAuthorization: () => {},
    saveCodeVerifier: () => {},
    codeVerifier: () => "verifier",
  };
}
