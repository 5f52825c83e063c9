import { serverUrl } from "../request/url.ts";

/** What is known about the base address of an API. */
export interface ServerChoice {
  /** The operator's own word. */
  readonly server: string | URL | undefined;
  /** Addresses of the document that the operator allows besides. */
  readonly allowed: readonly string[];
  /** The addresses in the document. */
  readonly declared: readonly string[];
  /** Where the document was fetched from; undefined when the operator handed it over. */
  readonly fetchedFrom: URL | undefined;
}

const PROBLEMS = {
  not_absolute: "it is not absolute",
  scheme: "it is not of HTTP",
  credentials: "it holds a name or a password",
  query: "it has a query or a fragment",
} as const;

/** The base address of an API; throws when there is none that may be used. */
export function chooseServer({ server, allowed, declared, fetchedFrom }: ServerChoice): URL {
  if (server !== undefined) return baseUrl(String(server));
  const [first] = declared;
  if (first === undefined) throw new TypeError("the document names no server: give its address as `server`");
  const address = fetchedFrom === undefined ? first : (URL.parse(first, fetchedFrom.href)?.href ?? first);
  const url = baseUrl(address);
  // A document from the network must not choose where credentials go.
  if (fetchedFrom === undefined || url.origin === fetchedFrom.origin || isAllowed(url, allowed)) return url;
  throw new TypeError("the server in the document is of another origin: give its address as `server`, or allow it");
}

/** The address of its own that an operation has, where it is allowed. */
export function ownServer(address: string, allowed: readonly string[]): URL | undefined {
  const url = serverUrl(address);
  return url.ok && isAllowed(url.url, allowed) ? url.url : undefined;
}

function baseUrl(address: string): URL {
  const url = serverUrl(address);
  if (url.ok) return url.url;
  throw new TypeError(`the address of the server cannot be used: ${PROBLEMS[url.why]}`);
}

function isAllowed(url: URL, allowed: readonly string[]): boolean {
  const plain = (href: string) => href.replace(/\/+$/, "");
  return allowed.some((one) => plain(URL.parse(one)?.href ?? "") === plain(url.href) || one === url.origin);
}
