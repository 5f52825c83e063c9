// The sign-in flow of the SDK, in memory. In place of a user, a fetch without redirects consents.
import type { OAuthClientProvider, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

type Registration = Parameters<NonNullable<OAuthClientProvider["saveClientInformation"]>>[0];
type Tokens = Parameters<OAuthClientProvider["saveTokens"]>[0];

/** The redirect URI. No server listens there. */
const CALLBACK = "http://localhost:3000/callback";
/** Identifies a client without registration. */
const METADATA_URL = "https://conformance-test.local/client-metadata.json";

/** A host that consents to every sign-in. */
export class ConsentingHost implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK;
  readonly clientMetadataUrl?: string;
  readonly clientMetadata = { client_name: "conformance", redirect_uris: [CALLBACK] };
  readonly #clients = new Map<string | undefined, Registration>();
  readonly #tokens = new Map<string | undefined, Tokens>();
  readonly #registered: Registration | undefined;
  #verifier = "";
  #answer: URLSearchParams | undefined;

  constructor(registered?: { readonly client_id: string; readonly client_secret?: string }) {
    this.#registered = registered === undefined ? undefined : { ...registered, redirect_uris: [CALLBACK] };
    if (registered === undefined) this.clientMetadataUrl = METADATA_URL;
  }

  clientInformation(at?: { readonly issuer?: string }) {
    return this.#registered ?? this.#clients.get(at?.issuer);
  }

  saveClientInformation(client: Registration, at?: { readonly issuer?: string }): void {
    this.#clients.set(at?.issuer, client);
  }

  tokens(at?: { readonly issuer?: string }) {
    return at?.issuer === undefined ? [...this.#tokens.values()].at(-1) : this.#tokens.get(at.issuer);
  }

  saveTokens(tokens: Tokens, at?: { readonly issuer?: string }): void {
    this.#tokens.delete(at?.issuer);
    this.#tokens.set(at?.issuer, tokens);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    const response = await fetch(url, { redirect: "manual" });
    await response.body?.cancel();
    const location = response.headers.get("location");
    this.#answer = location === null ? undefined : new URL(location).searchParams;
  }

  /** Completes a started sign-in; returns false when none was started. */
  async finish(transport: StreamableHTTPClientTransport): Promise<boolean> {
    const answer = this.#answer;
    this.#answer = undefined;
    if (answer === undefined) return false;
    await transport.finishAuth(answer);
    return true;
  }
}
