// Host names and origins, as headers carry them and as options list them.

/** A host name in the form in which names are compared, and its port if one was given. */
export interface Host {
  /** The name or address, in the form in which names are compared. */
  readonly name: string;
  /** The port, if one was given. */
  readonly port: string | undefined;
}

/** A host as `Host` and the end of an `Origin` have it: no user, path, list or zone. */
const HOST = /^(\[[0-9a-f:.]{2,45}\]|[^\s:/?#@[\]\\,%*]{1,253})(?::(\d{0,5}))?$/i;
const HEADER_TEXT = /^[\x21-\x7e]{1,300}$/;
const ORIGIN = /^([a-z][a-z0-9+.-]{0,30}):\/\/([^/]+)$/i;
const LOOPBACK_NAMES = new Set(["localhost", "127.0.0.1", "[::1]"]);
/** Addresses that reach the own machine without naming it; a browser may be sent there like to a loopback address. */
const UNSPECIFIED = new Set(["0.0.0.0", "[::]"]);
const LOOPBACK_ADDRESS = /^(?:(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/i;
const DEFAULT_PORTS = ["80", "443"];

/** Reads a host; undefined if it is not one. */
export function parseHost(text: string): Host | undefined {
  const [, host, port] = HOST.exec(text) ?? [];
  if (host === undefined) return undefined;
  try {
    // Names differ in case, addresses in form; a dot at the end changes nothing.
    const name = new URL(`http://${host}`).hostname.replace(/\.$/, "");
    return name === "" ? undefined : { name, port: port === "" ? undefined : port };
  } catch {
    return undefined;
  }
}

/** Reads the host of a `Host` header. */
export function readHost(header: string): Host | undefined {
  return HEADER_TEXT.test(header) ? parseHost(header) : undefined;
}

interface WebOrigin extends Host {
  readonly scheme: string;
}

function parseOrigin(text: string): WebOrigin | undefined {
  const [, scheme, rest = ""] = ORIGIN.exec(text) ?? [];
  const host = scheme === undefined ? undefined : parseHost(rest);
  return host && { ...host, scheme: (scheme as string).toLowerCase() };
}

export function isLoopbackName({ name }: Host): boolean {
  return LOOPBACK_NAMES.has(name);
}

/** Whether a request was sent to this machine alone: it came in at a loopback address, or names a host that stays local. */
export function isSentLocally(localAddress: string | undefined, host: Host | undefined): boolean {
  return (localAddress !== undefined && isLoopbackAddress(localAddress)) || (host !== undefined && staysLocal(host));
}

/** Whether a request for this host stays on the own machine. */
export function staysLocal(host: Host): boolean {
  return isLoopbackName(host) || UNSPECIFIED.has(host.name);
}

export function isLoopbackAddress(address: string): boolean {
  return LOOPBACK_ADDRESS.test(address);
}

/** Whether an `Origin` header is one of the own machine. */
export function isLoopbackOrigin(header: string): boolean {
  const origin = HEADER_TEXT.test(header) ? parseOrigin(header) : undefined;
  return origin !== undefined && isWeb(origin) && isLoopbackName(origin);
}

/** Makes the test for hosts of an option. A value that cannot match anything is a mistake of the author, so it throws. */
export function hostTest(entries: readonly string[]): (host: Host) => boolean {
  const allowed = entries.map((entry) => parseHost(entry) ?? reject("allowedHosts", entry));
  return (host) => allowed.some((entry) => matches(entry, host));
}

/** Makes the test for `Origin` headers of an option. */
export function originTest(entries: readonly string[]): (header: string) => boolean {
  const allowed = entries
    .filter((entry) => entry !== "null")
    .map((entry): WebOrigin | Host => parseOrigin(entry) ?? parseHost(entry) ?? reject("allowedOrigins", entry));
  return (header) => {
    if (header === "null") return entries.includes("null");
    const origin = HEADER_TEXT.test(header) ? parseOrigin(header) : undefined;
    return origin !== undefined && allowed.some((entry) => matchesOrigin(entry, origin));
  };
}

function matches(entry: Host, host: Host): boolean {
  if (entry.name !== host.name) return false;
  if (entry.port === undefined || entry.port === host.port) return true;
  return host.port === undefined && DEFAULT_PORTS.includes(entry.port);
}

function matchesOrigin(entry: WebOrigin | Host, origin: WebOrigin): boolean {
  if (!("scheme" in entry)) return isWeb(origin) && matches(entry, origin);
  return entry.scheme === origin.scheme && entry.name === origin.name && portOf(entry) === portOf(origin);
}

function isWeb({ scheme }: WebOrigin): boolean {
  return scheme === "http" || scheme === "https";
}

function portOf({ scheme, port }: WebOrigin): string | undefined {
  return port ?? { http: "80", https: "443" }[scheme];
}

function reject(option: string, entry: string): never {
  throw new TypeError(
    `${option}: ${JSON.stringify(entry)} is not a host${option === "allowedHosts" ? "" : " or origin"}`,
  );
}
