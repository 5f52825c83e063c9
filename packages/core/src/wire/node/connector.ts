// How connections are opened: through a proxy if there is one, with the CAs that are trusted, and with causes that name the host.
import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import { isIP, isIPv6, type Socket } from "node:net";
import tls, { createSecureContext, type SecureContext } from "node:tls";
import type { ProxyChoice } from "./proxy-rules.ts";

/** Where a connection leads, as undici says it. */
export interface ConnectTarget {
  readonly hostname: string;
  /** `http:` or `https:`. */
  readonly protocol: string;
  /** The port; empty for that of the protocol. */
  readonly port: string;
  /** A connection that TLS is spoken on. @default one is opened */
  readonly httpSocket?: Socket | undefined;
}

type Connected<S> = (...result: [null, S] | [Error, null]) => void;

/** Opens a connection, as undici asks for one. */
export type Connect<T extends ConnectTarget, S> = (target: T, done: Connected<S>) => void;

export interface ConnectorOptions {
  /** Chooses the proxy. @default every host is reached directly */
  readonly proxy?: ProxyChoice | undefined;
  /** How long a proxy may take to open a tunnel, in ms. */
  readonly timeoutMs: number;
  /** What the certificate of a proxy is checked with. @default the CAs that Node knows */
  readonly secureContext?: SecureContext | undefined;
}

/**
 * Wraps the connector of undici. Plain HTTP goes through a tunnel too: the proxy sees no request and answers none, so a
 * failure of the proxy is always known to be one before anything was sent.
 */
export function viaProxy<T extends ConnectTarget, S>(
  connect: Connect<T, S>,
  { proxy: choose, timeoutMs, secureContext }: ConnectorOptions,
): Connect<T, S | Socket> {
  return (target, done) => {
    const named: Connected<S | Socket> = (error, socket) =>
      error === null ? done(null, socket as S) : done(namingHost(error, target.hostname), null);
    const { protocol, hostname, port } = target;
    const host = isIPv6(hostname) ? `[${hostname}]` : hostname;
    const at = `${host}:${port || (protocol === "https:" ? 443 : 80)}`;
    const proxy = choose?.(new URL(`${protocol}//${at}`));
    if (proxy === undefined) return connect(target, named);
    openTunnel({ proxy, at, timeoutMs, secureContext }, (failure, socket) => {
      if (failure !== null) done(failure, null);
      else if (protocol === "https:") connect({ ...target, httpSocket: socket }, named);
      else done(null, socket);
    });
  };
}

/** Trusts further CAs beside those that Node knows; undefined if there are none. */
export function trustAlso(certificates: readonly string[] | undefined): SecureContext | undefined {
  if (certificates === undefined || certificates.length === 0) return undefined;
  // Node before 22.15 does not say which CAs it trusts beside its own.
  const known = (tls as Partial<typeof tls>).getCACertificates?.("default") ?? tls.rootCertificates;
  return createSecureContext({ ca: [...known, ...certificates] });
}

/** A proxy opened no connection. Nothing was sent. The message names the proxy without its password. */
export class ProxyError extends Error {
  override readonly name = "ProxyError";
  readonly code = "ERR_PROXY_TUNNEL";
  /** Whether it stays so until someone changes the setup, such as the password of the proxy. */
  readonly isMisconfigured: boolean;

  constructor(message: string, { cause, isMisconfigured }: { cause?: unknown; isMisconfigured: boolean }) {
    super(message, { cause });
    this.isMisconfigured = isMisconfigured;
  }
}

interface Tunnel {
  readonly proxy: URL;
  /** Host and port at its end. */
  readonly at: string;
  readonly timeoutMs: number;
  readonly secureContext: SecureContext | undefined;
}

function openTunnel({ proxy, at, timeoutMs, secureContext }: Tunnel, done: Connected<Socket>): void {
  const send = proxy.protocol === "https:" ? tlsRequest : plainRequest;
  const host = proxy.hostname.replace(/^\[(.+)\]$/, "$1");
  const request = send({
    method: "CONNECT",
    protocol: proxy.protocol,
    host,
    // Otherwise the certificate of the proxy would be compared with the host in the headers.
    servername: isIP(host) === 0 ? host : "",
    port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
    path: at,
    headers: { host: at, ...proxyAuthorization(proxy) },
    // A connection of its own, that no agent takes back.
    agent: false,
    ...(secureContext && { secureContext }),
  });
  const timer = setTimeout(
    () => request.destroy(new ProxyError(`the proxy ${proxy.host} opened no connection within ${timeoutMs} ms`, LATER)),
    timeoutMs,
  );
  const end = (...result: Parameters<typeof done>) => {
    clearTimeout(timer);
    done(...result);
  };
  request.once("connect", ({ statusCode = 0 }: IncomingMessage, socket: Socket, head: Buffer) => {
    if (statusCode < 200 || statusCode > 299) {
      socket.on("error", () => {}).destroy();
      end(tunnelRefused(proxy, at, statusCode), null);
      return;
    }
    if (head.length > 0) socket.unshift(head);
    end(null, socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS));
  });
  // A proxy that does not know CONNECT answers with a response of another kind.
  request.once("response", (response) => {
    response.destroy();
    end(tunnelRefused(proxy, at, response.statusCode ?? 0), null);
  });
  request.on("error", (error) => end(error instanceof ProxyError ? error : proxyUnreached(proxy, error), null));
  request.end();
}

const KEEP_ALIVE_MS = 60_000;
const LATER = { isMisconfigured: false } as const;
/** Refusals of the client that pass by themselves. */
const PASSING_REFUSALS: ReadonlySet<number> = new Set([408, 425, 429]);

function tunnelRefused({ host }: URL, at: string, status: number): ProxyError {
  const isMisconfigured = status >= 300 && status < 500 && !PASSING_REFUSALS.has(status);
  return new ProxyError(`the proxy ${host} refused a connection to ${at} with HTTP status ${status}`, {
    isMisconfigured,
  });
}

function proxyUnreached({ host, hostname }: URL, error: Error): ProxyError {
  const { code } = error as { readonly code?: string };
  const cause = namingHost(error, hostname);
  if (cause !== error) return new ProxyError(`the proxy ${host}: ${cause.message}`, { cause, isMisconfigured: true });
  const said = code ?? error.message;
  return new ProxyError(`the connection to the proxy ${host} failed (${said})`, {
    cause,
    isMisconfigured: code === "ENOTFOUND",
  });
}

function proxyAuthorization(proxy: URL): { readonly "proxy-authorization"?: string } {
  if (proxy.username === "" && proxy.password === "") return {};
  return { "proxy-authorization": `Basic ${proxyCredential(proxy)}` };
}

/** Name and password of a proxy, as they are sent. */
export function proxyCredential({ username, password }: URL): string {
  return Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64");
}

/** What is wrong with a certificate, by the code of the error. */
const UNKNOWN_CA = "is not signed by a CA that is known";
const CERTIFICATE_CODES: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_CA,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_CA,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_CA,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_CA,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_CA,
  CERT_HAS_EXPIRED: "has expired",
  CERT_NOT_YET_VALID: "is not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "is for another name",
};

/** The same error with a message that names the host, if its certificate is the cause. The code stays. */
function namingHost(error: Error, hostname: string): Error {
  const { code = "" } = error as { readonly code?: string };
  if (!Object.hasOwn(CERTIFICATE_CODES, code)) return error;
  const named = new Error(`the certificate of ${hostname} ${CERTIFICATE_CODES[code]} (${code})`, { cause: error });
  return Object.assign(named, { code });
}
