import { doctorLine } from "../terminal/shell.ts";
import { durationText } from "../terminal/wording.ts";
import { bytesAsText, recognizeService, urlPort } from "./connect.ts";
import { type CauseFinding, quoteLine } from "./diagnosis.ts";
import type { AddressAttempt, HttpResult } from "./exchange.ts";

/** The name could not be resolved. */
export function judgeName(host: string, error: string): CauseFinding {
  const local = error === "EAI_AGAIN";
  return {
    id: "D23",
    saw: `The name ${quoteLine(host)} cannot be resolved (${error}).`,
    ...(local && {
      because: "No name server answered: this machine may be offline, or the name exists only in a VPN.",
    }),
    code: `nslookup ${host}`,
  };
}

/** What connecting to each address of a name gave. */
interface ConnectionAttempts {
  readonly url: URL;
  /** The addresses of the name, in the order of the resolver. */
  readonly addresses: readonly AddressAttempt[];
  /** The loopback address of the other family, tried if a loopback name gave nothing. */
  readonly other?: AddressAttempt;
}

/** Why no connection opens. Undefined if one does. */
export function judgeConnections({ url, addresses, other }: ConnectionAttempts): CauseFinding | undefined {
  if (addresses.some(({ error }) => error === undefined)) return undefined;
  const port = urlPort(url);
  const tried = addresses.map(({ address }) => address).join(" and ");
  if (other !== undefined && other.error === undefined)
    return {
      id: "D22",
      saw: `${tried} refuses port ${port}, and ${other.address} accepts it.`,
      fix: `Use ${other.address} in the URL, or bind the server to both kinds of addresses.`,
      next: doctorLine(withHost(url, other.address)),
      corrected: { url: withHost(url, other.address) },
    };
  if (addresses.every(({ error }) => error === "ECONNREFUSED"))
    return { id: "D21", saw: `Nothing listens on port ${port} of ${tried}.`, code: listenersOn(port) };
  const [first] = addresses;
  if (first?.error === "ECONNRESET") return judgeRaw(url, { kind: "closed", error: "ECONNRESET", ms: first.ms });
  return { id: "D45", saw: `${tried} cannot be reached on port ${port} (${first?.error}).` };
}

/** A name that means several addresses, of which the first refuses: clients that try only one fail. */
export function noteOnAddresses({ url, addresses }: ConnectionAttempts): CauseFinding | undefined {
  const [first] = addresses;
  const open = addresses.find(({ error }) => error === undefined);
  if (first === undefined || open === undefined || first === open) return undefined;
  return {
    id: "D22",
    saw: `${quoteLine(url.hostname)} means ${first.address} first, which refuses; ${open.address} answers.`,
    because: "Clients that try only the first address cannot connect.",
    fix: `Use ${withHost(url, open.address)} in clients, or bind the server to both kinds of addresses.`,
  };
}

/** What a port that does not speak HTTP may be. */
export interface RawContext {
  /** What a harmless question found out. */
  readonly service?: string;
  /** Whether it speaks TLS. */
  readonly speaksTls?: boolean;
}

/** Why a request over an open connection got no HTTP answer. Undefined if it got one. */
export function judgeRaw(
  url: URL,
  seen: HttpResult,
  { service, speaksTls }: RawContext = {},
): CauseFinding | undefined {
  if (seen.kind === "answer") return undefined;
  if (seen.kind === "silent")
    return {
      id: "D25",
      saw: `The connection opened, and no byte came within ${durationText(seen.ms)}.`,
      code: doctorLine("--timeout", "60", withoutLogin(url)),
    };
  const port = urlPort(url);
  const known = service ?? (seen.kind === "not-http" ? recognizeService(seen.bytes) : undefined);
  if (speaksTls === true || known === "a TLS server")
    return {
      id: "D24",
      saw: `Port ${port} speaks TLS, and the URL begins with http.`,
      because: "A TLS server closes connections that begin with plain HTTP.",
      fix: "Begin the URL with https.",
      next: doctorLine(withScheme(url, "https:")),
      corrected: { url: withScheme(url, "https:") },
    };
  const what =
    seen.kind === "not-http"
      ? `It sent ${quoteLine(bytesAsText(seen.bytes), 60)}, which is not HTTP.`
      : "It closed the connection without an answer.";
  if (known !== undefined)
    return {
      id: "D24",
      saw: `Port ${port} is ${known}, not an MCP server.`,
      because: `${capital(known)} does not speak HTTP.`,
      fix: "Use the port of the MCP server.",
    };
  return { id: "D24", saw: `Port ${port} does not answer HTTP. ${what}` };
}

/** Why TLS does not come about. */
export function judgeTlsFailure(
  url: URL,
  error: string,
  context: { readonly speaksHttp: boolean; readonly service?: string },
): CauseFinding {
  const port = urlPort(url);
  if (context.service !== undefined)
    return {
      id: "D24",
      saw: `Port ${port} is ${context.service}, not an MCP server.`,
      because: `${capital(context.service)} does not speak HTTP.`,
      fix: "Use the port of the MCP server.",
    };
  if (context.speaksHttp)
    return {
      id: "D27",
      saw: `Port ${port} speaks plain HTTP, and the URL begins with https.`,
      next: doctorLine(withScheme(url, "http:")),
      corrected: { url: withScheme(url, "http:") },
    };
  if (error === "ETIMEDOUT")
    return {
      id: "D25",
      saw: `The connection to port ${port} opened, and TLS got no answer.`,
      code: doctorLine("--timeout", "60", withoutLogin(url)),
    };
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH|HTTP_REQUEST/.test(error))
    return {
      id: "D27",
      saw: `Port ${port} does not speak TLS (${error}).`,
      because: "What came back is not TLS.",
      fix: "Use the port of the MCP server.",
    };
  return { id: "D24", saw: `Port ${port} refuses TLS (${error}).` };
}

const CERTIFICATE_PROBLEMS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "it is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "its issuer is not known to this machine",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its issuer is not known, or the server does not send the certificates in between",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its issuer is not known to this machine",
  CERT_HAS_EXPIRED: "it has expired",
  CERT_NOT_YET_VALID: "it is not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "it is made for another name",
};

/** What is wrong with a certificate. Undefined if it is accepted. */
export function judgeCertificate(
  url: URL,
  {
    problems,
    names,
    validTo,
  }: { readonly problems: readonly string[]; readonly names: readonly string[]; readonly validTo: string },
): CauseFinding | undefined {
  if (problems.length === 0) return undefined;
  const expired = problems.includes("CERT_HAS_EXPIRED");
  const otherName = problems.includes("ERR_TLS_CERT_ALTNAME_INVALID");
  const unknown = problems.some((one) => /SELF_SIGNED|UNABLE_TO/.test(one));
  const parts = problems.map((one) => CERTIFICATE_PROBLEMS[one] ?? one);
  const fixes = [
    ...(expired ? [`Renew it: it ended on ${validTo}.`] : []),
    ...(otherName
      ? [
          names.length === 0
            ? `Create a certificate for ${url.hostname}: this one names no host.`
            : `Use a name that it covers (${quoteLine(names.join(", "), 100)}), or add ${url.hostname} to it.`,
        ]
      : []),
    ...(unknown ? ["For a certificate of your own, give its file in NODE_EXTRA_CA_CERTS."] : []),
  ];
  const right = names.find((name) => !name.includes("*"));
  return {
    id: "D26",
    saw: `The certificate is not accepted: ${parts.join(", and ")} (${problems.join(", ")}).`,
    ...(fixes.length > 0 && { fix: fixes.join(" ") }),
    code: unknown
      ? `NODE_EXTRA_CA_CERTS=/path/to/ca.pem ${doctorLine(withoutLogin(url))}`
      : "openssl x509 -noout -dates -ext subjectAltName -in cert.pem",
    ...(otherName && right !== undefined && { next: doctorLine(withHost(url, right)) }),
  };
}

/** An address without user and password. */
export function withoutLogin(url: URL): string {
  const copy = new URL(url);
  copy.username = "";
  copy.password = "";
  return copy.href;
}

/** The same address on another host. */
function withHost(url: URL, host: string): string {
  const copy = new URL(withoutLogin(url));
  copy.hostname = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return copy.href;
}

function withScheme(url: URL, scheme: "http:" | "https:"): string {
  // A port that was the default of the old scheme has to be written out.
  const port = urlPort(url);
  const copy = new URL(withoutLogin(url).replace(/^https?:/, scheme));
  if (url.port === "") copy.port = String(port);
  return copy.href;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function listenersOn(port: number): string {
  return `lsof -i :${port}   # Windows: netstat -ano | findstr :${port}`;
}
