import { lookup } from "node:dns/promises";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { checkServerIdentity, connect as connectTls, type PeerCertificate, type TLSSocket } from "node:tls";
import { isDeepStrictEqual } from "node:util";
import { race, sleep } from "@recourse/core/wire";

/** What waiting takes. */
interface WaitOptions {
  readonly ms: number;
  readonly signal: AbortSignal;
}

/** The addresses of a host name, or the system's code if it has none. */
export async function resolveAddresses(
  host: string,
  { ms, signal }: WaitOptions,
): Promise<readonly string[] | { readonly error: string }> {
  const bare = withoutBrackets(host);
  if (isIP(bare) !== 0) return [bare];
  try {
    // The system's resolver cannot be interrupted, so it is left behind.
    const found = await race(lookup(bare, { all: true, verbatim: true }), { ms, signal, sleep });
    if (typeof found === "symbol") return { error: "ETIMEDOUT" };
    return [...new Set(found.map(({ address }) => address))];
  } catch (error) {
    return { error: systemCode(error) };
  }
}

/** Opens a connection. A string is the system's code, or `ETIMEDOUT` when the limit is reached. */
export function openSocket(
  { address, port }: { readonly address: string; readonly port: number },
  { ms, signal }: WaitOptions,
): Promise<Socket | string> {
  return settle(connectTcp({ host: address, port }), "connect", { ms, signal });
}

/** A connection that speaks TLS, and everything that is wrong with the certificate. */
interface TlsSession {
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
export async function openTls(socket: Socket, host: string, waiting: WaitOptions): Promise<TlsSession | string> {
  const name = withoutBrackets(host);
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
    names: certificateNames(certificate),
    validTo: certificate.valid_to,
    protocol: tls.getProtocol() ?? "TLS",
  };
}

/** The names that a certificate is made for. Old ones have only a common name. */
export function certificateNames({
  subjectaltname,
  subject,
}: Pick<PeerCertificate, "subjectaltname" | "subject">): string[] {
  const names = (subjectaltname ?? "").split(", ").map((one) => one.replace(/^(?:DNS|IP Address):/, ""));
  const found = names.filter((name) => name !== "");
  return found.length > 0 ? found : [subject?.CN ?? []].flat().filter((name) => name !== "");
}

/** Sends some bytes and returns the first that come back. Empty if none came. */
export async function askBytes(socket: Socket, bytes: Uint8Array, { ms, signal }: WaitOptions): Promise<Uint8Array> {
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

function settle<S extends Socket>(socket: S, event: string, { ms, signal }: WaitOptions): Promise<S | string> {
  return new Promise((resolve) => {
    const finish = (seen: S | string): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      if (typeof seen === "string") socket.destroy();
      // The code that uses the connection handles its errors; one that comes in between must not end the program.
      socket.on("error", () => {});
      resolve(seen);
    };
    const onAbort = (): void => finish("ABORTED");
    const timer = setTimeout(() => finish("ETIMEDOUT"), ms);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    socket.once(event, () => finish(socket));
    socket.once("error", (error) => finish(systemCode(error)));
    socket.once("close", () => finish("ECONNRESET"));
  });
}

function systemCode(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}

/** A service that is known by its first bytes. */
interface Service {
  readonly name: string;
  /** The beginning of what it sends, as `bytesAsText` writes it. */
  readonly begins: RegExp;
}

/** Services that answer HTTP with something else, or speak first. */
const KNOWN_SERVICES: readonly Service[] = [
  { name: "a TLS server", begins: /^\\x1[56]\\x03/ },
  { name: "an HTTP/2 server without HTTP/1.1", begins: /^\\x00\\x00(?:\\x..|.)\\x04|^PRI \* HTTP\/2/ },
  { name: "Redis", begins: /^[-+](?:ERR|NOAUTH|PONG|DENIED|WRONGPASS|MOVED|LOADING)/ },
  { name: "PostgreSQL", begins: /^[NS]$|^E\\x00\\x00|SFATAL|^R\\x00\\x00\\x00/ },
  { name: "MySQL or MariaDB", begins: /^(?:\\x..|.)\\x00\\x00\\x00(?:\\x09|\\x0a|\\xff)/ },
  { name: "SSH", begins: /^SSH-\d/ },
  { name: "a mail or FTP server", begins: /^220[ -]/ },
  { name: "Memcached", begins: /^ERROR\\x0d\\x0a/ },
];

/** The service that these bytes come from. Undefined if they are not known. */
export function recognizeService(bytes: Uint8Array): string | undefined {
  const text = bytesAsText(bytes);
  return KNOWN_SERVICES.find(({ begins }) => begins.test(text))?.name;
}

/** Harmless questions to a port that closes the connection at HTTP. Each service answers only its own. */
export const QUESTIONS: readonly { readonly name: string; readonly bytes: Uint8Array; readonly answer: RegExp }[] = [
  // Asks whether it speaks TLS; one letter comes back.
  { name: "PostgreSQL", bytes: Uint8Array.of(0, 0, 0, 8, 4, 210, 22, 47), answer: /^[NS]$/ },
  { name: "Redis", bytes: new TextEncoder().encode("PING\r\n"), answer: /^[-+](?:PONG|NOAUTH|ERR|DENIED)/ },
];

/** Bytes for a person: what is not printable ASCII is written as `\x15`. */
export function bytesAsText(bytes: Uint8Array): string {
  return [...bytes.subarray(0, 256)]
    .map((byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`,
    )
    .join("");
}

/** The port of an address. */
export function urlPort(url: URL): number {
  return url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
}

/** The address in a host of a URL, which writes `[::1]`. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, "");
}
