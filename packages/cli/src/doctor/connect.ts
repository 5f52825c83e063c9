import { lookup } from "node:dns/promises";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { checkServerIdentity, connect as connectTls, type TLSSocket } from "node:tls";
import { isDeepStrictEqual } from "node:util";
import { race, sleep } from "@recourse/faults/internal-do-not-use";

/** What waiting takes. */
export interface Waiting {
  readonly ms: number;
  readonly signal: AbortSignal;
}

/** The addresses of a host name, or the system's code if it has none. */
export async function addressesOf(
  host: string,
  { ms, signal }: Waiting,
): Promise<readonly string[] | { readonly error: string }> {
  const bare = host.replace(/^\[|\]$/g, "");
  if (isIP(bare) !== 0) return [bare];
  try {
    // The system's resolver cannot be interrupted, so it is left behind.
    const found = await race(lookup(bare, { all: true, verbatim: true }), { ms, signal, sleep });
    if (typeof found === "symbol") return { error: "ETIMEDOUT" };
    return [...new Set(found.map(({ address }) => address))];
  } catch (error) {
    return { error: codeOf(error) };
  }
}

/** Opens a connection. A string is the system's code, or `ETIMEDOUT` when the limit is reached. */
export function openSocket(
  { address, port }: { readonly address: string; readonly port: number },
  { ms, signal }: Waiting,
): Promise<Socket | string> {
  return settle(connectTcp({ host: address, port }), "connect", { ms, signal });
}

/** A connection that speaks TLS, and everything that is wrong with the certificate. */
export interface TlsSeen {
  readonly socket: TLSSocket;
  /** Codes, such as `CERT_HAS_EXPIRED`. The name is checked apart: a self-signed certificate would hide it. */
  readonly problems: readonly string[];
  /** The names that the certificate is made for. */
  readonly names: readonly string[];
  /** When it expires, as the certificate writes it. */
  readonly validTo: string;
  readonly protocol: string;
}

/** Speaks TLS over an open connection, without trusting the certificate. A string is the code of the failure. */
export async function openTls(socket: Socket, host: string, waiting: Waiting): Promise<TlsSeen | string> {
  const name = host.replace(/^\[|\]$/g, "");
  const tls = connectTls({
    socket,
    rejectUnauthorized: false,
    // A server name is never an IP address.
    ...(isIP(name) === 0 && { servername: name }),
    ALPNProtocols: ["http/1.1"],
  });
  const opened = await settle(tls, "secureConnect", waiting);
  if (typeof opened === "string") return opened;
  const certificate = tls.getPeerCertificate();
  const trust = tls.authorized ? [] : [String(tls.authorizationError)];
  // OpenSSL names one problem only, and the end of the validity hides that nobody vouches for it.
  const isOwnIssuer = isDeepStrictEqual(certificate.subject, certificate.issuer);
  const selfSigned = !tls.authorized && isOwnIssuer ? ["DEPTH_ZERO_SELF_SIGNED_CERT"] : [];
  const identity = checkServerIdentity(name, certificate) === undefined ? [] : ["ERR_TLS_CERT_ALTNAME_INVALID"];
  const expired = Date.parse(certificate.valid_to) < Date.now() ? ["CERT_HAS_EXPIRED"] : [];
  return {
    socket: tls,
    problems: [...new Set([...selfSigned, ...trust, ...expired, ...identity])],
    names: (certificate.subjectaltname ?? "").split(", ").map((one) => one.replace(/^(?:DNS|IP Address):/, "")),
    validTo: certificate.valid_to,
    protocol: tls.getProtocol() ?? "TLS",
  };
}

/** Sends some bytes and returns the first that come back. Empty if none came. */
export async function askBytes(socket: Socket, bytes: Uint8Array, { ms, signal }: Waiting): Promise<Uint8Array> {
  return new Promise((resolve) => {
    const finish = (seen: Uint8Array): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", none);
      socket.destroy();
      resolve(seen);
    };
    const none = (): void => finish(new Uint8Array());
    const timer = setTimeout(none, ms);
    signal.addEventListener("abort", none, { once: true });
    socket.on("data", finish);
    socket.on("error", none);
    socket.on("close", none);
    socket.write(bytes);
  });
}

function settle<S extends Socket>(socket: S, event: string, { ms, signal }: Waiting): Promise<S | string> {
  return new Promise((resolve) => {
    const finish = (seen: S | string): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      if (typeof seen === "string") socket.destroy();
      // Whoever uses the connection looks at its errors; one that comes in between must not end the program.
      socket.on("error", () => {});
      resolve(seen);
    };
    const onAbort = (): void => finish("ABORTED");
    const timer = setTimeout(() => finish("ETIMEDOUT"), ms);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    socket.once(event, () => finish(socket));
    socket.once("error", (error) => finish(codeOf(error)));
    socket.once("close", () => finish("ECONNRESET"));
  });
}

function codeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
