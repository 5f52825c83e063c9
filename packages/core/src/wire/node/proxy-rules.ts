// Which proxy a connection goes through, by the variables that curl and most other programs read.
import { BlockList, isIP, isIPv6 } from "node:net";

/** Proxies by the protocol of the address that is asked for, and the hosts that are reached without one. */
export interface ProxyRules {
  /** The proxy for `http:` addresses. @default they are reached directly */
  readonly http?: string | undefined;
  /** The proxy for `https:` addresses. @default they are reached directly */
  readonly https?: string | undefined;
  /** Hosts that are reached directly, as `NO_PROXY` lists them. @default none */
  readonly except?: string | undefined;
}

/** Chooses the proxy for an address; undefined if it is reached directly. */
export type ProxyChoice = (address: URL) => URL | undefined;

/** A variable that should name a proxy, and does not. */
export interface ProxyProblem {
  readonly variable: string;
}

/** The loopback of a proxy is another machine, so nothing there is ever meant. */
const LOOPBACK_HOSTS = "localhost,127.0.0.0/8,::1";

/**
 * Reads `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`. Names in lower case win, and an empty variable counts as missing. The own
 * machine is always reached directly. Undefined if no proxy is named.
 */
export function readProxyRules(
  environment: Readonly<Record<string, string | undefined>>,
): ProxyRules | ProxyProblem | undefined {
  const find = (name: string) => [name.toLowerCase(), name].find((one) => (environment[one] ?? "").trim() !== "");
  const found: { http?: string; https?: string } = {};
  for (const protocol of ["http", "https"] as const) {
    const variable = find(`${protocol.toUpperCase()}_PROXY`);
    if (variable === undefined) continue;
    const proxy = parseProxy(environment[variable] ?? "");
    if (proxy === undefined) return { variable };
    found[protocol] = proxy.href;
  }
  if (found.http === undefined && found.https === undefined) return undefined;
  const listed = find("NO_PROXY");
  const except = listed === undefined ? LOOPBACK_HOSTS : `${environment[listed]},${LOOPBACK_HOSTS}`;
  return { ...found, except };
}

/** Reads the address of a proxy, with or without its protocol; undefined if it is not one of HTTP. */
export function parseProxy(text: string): URL | undefined {
  const written = text.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `http://${written}`);
  const isProxy = url !== null && /^https?:$/.test(url.protocol) && url.hostname !== "" && hasReadableUser(url);
  return isProxy ? url : undefined;
}

function hasReadableUser({ username, password }: URL): boolean {
  try {
    return decodeURIComponent(username + password) !== undefined;
  } catch {
    return false;
  }
}

export function createProxyChoice({ http, https, except = "" }: ProxyRules): ProxyChoice {
  const proxies = { "http:": http && parseProxy(http), "https:": https && parseProxy(https) };
  const exceptions = except
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(readException);
  return (address) => {
    const proxy = proxies[address.protocol as keyof typeof proxies] || undefined;
    if (proxy === undefined) return undefined;
    const host = plainHost(address.hostname);
    const port = address.port || DEFAULT_PORT[address.protocol as keyof typeof proxies];
    return exceptions.some((isExcepted) => isExcepted(host, port)) ? undefined : proxy;
  };
}

const DEFAULT_PORT = { "http:": "80", "https:": "443" } as const;

type Exception = (host: string, port: string) => boolean;

/** `name:port`, `[::1]:port`, or either without a port. A bare IPv6 address has several colons and no port. */
const EXCEPTION = /^(?:\[([^\]]+)\]|([^:]+)|([^[]*:[^[]*:[^[]*))(?::(\d+))?$/;

/**
 * One entry of `NO_PROXY`: `*`, a name with all names below it (a dot at its start changes nothing), `*.name` for the names
 * below it alone, an address, or a network such as `10.0.0.0/8`. Networks match addresses; names are not resolved for them.
 */
function readException(entry: string): Exception {
  const [, bracketed, named, bare, onlyPort] = EXCEPTION.exec(entry) ?? [];
  const isExcepted = readHostException(plainHost(bracketed ?? named ?? bare ?? entry));
  return (host, port) => (onlyPort === undefined || onlyPort === port) && isExcepted(host);
}

function readHostException(name: string): (host: string) => boolean {
  if (name === "*") return () => true;
  const [network = "", bits] = name.split("/");
  if (isIP(network) !== 0) {
    const isIn = networkTest(network, bits);
    return (host) => isIP(host) !== 0 && isIn(host);
  }
  const end = name.replace(/^\*?\./, "");
  const suffix = `.${end}`;
  return name.startsWith("*.") ? (host) => host.endsWith(suffix) : (host) => host === end || host.endsWith(suffix);
}

function networkTest(network: string, bits: string | undefined): (address: string) => boolean {
  const list = new BlockList();
  const family = isIPv6(network) ? "ipv6" : "ipv4";
  const length = bits === undefined ? undefined : Number(bits);
  const isLength = length !== undefined && /^\d{1,3}$/.test(bits ?? "") && length <= (family === "ipv6" ? 128 : 32);
  if (length === undefined) list.addAddress(network, family);
  else if (isLength) list.addSubnet(network, length, family);
  return (address) => list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** A host without brackets, without a dot at its end, in lower case. */
function plainHost(host: string): string {
  return host
    .replace(/^\[(.+)\]$/, "$1")
    .replace(/(.)\.$/, "$1")
    .toLowerCase();
}
