import { parseServerUrl, type ServerProblem } from "../request/url.ts";

/** What decides about the base address of an API. */
export interface ServerChoice {
  /** The address that the operator gave. */
  readonly server: string | URL | undefined;
  /** Further addresses that the operator allows. */
  readonly allowed: readonly string[];
  /** The addresses in the document. */
  readonly declared: readonly string[];
  /** Where the document was fetched from; undefined when the operator passed it directly. */
  readonly fetchedFrom: URL | undefined;
}

const SERVER_PROBLEM_TEXTS = {
  not_absolute: "it is not absolute, so write it with https:// and a host",
  scheme: "it is not HTTP, so use https:// or http://",
  credentials: "it holds a name or a password, so pass them as `credential`",
  query: "it has a query or a fragment, so remove them",
} as const satisfies Readonly<Record<ServerProblem, string>>;

/** The base address of an API. Throws where no address may be used. */
export function chooseServer({ server, allowed, declared, fetchedFrom }: ServerChoice): URL {
  if (server !== undefined) return baseUrl(String(server));
  const [first] = declared;
  if (first === undefined) throw new TypeError("the document names no server: pass its address as `server`");
  const address = fetchedFrom === undefined ? first : (URL.parse(first, fetchedFrom.href)?.href ?? first);
  const url = baseUrl(address);
  // A document from the network must not decide where credentials go.
  if (fetchedFrom === undefined || url.origin === fetchedFrom.origin || isAllowed(url, allowed)) return url;
  throw new TypeError(
    "the server in the document is of another origin: pass its address as `server`, or add it to `servers`",
  );
}

/** The address of an operation with a server of its own, where it is allowed. */
export function allowedServer(address: string, allowed: readonly string[]): URL | undefined {
  const url = parseServerUrl(address);
  return url.ok && isAllowed(url.url, allowed) ? url.url : undefined;
}

function baseUrl(address: string): URL {
  const url = parseServerUrl(address);
  if (url.ok) return url.url;
  throw new TypeError(`the address of the server cannot be used: ${SERVER_PROBLEM_TEXTS[url.code]}`);
}

function isAllowed(url: URL, allowed: readonly string[]): boolean {
  const withoutSlash = (href: string) => href.replace(/\/+$/, "");
  return allowed.some(
    (one) => withoutSlash(URL.parse(one)?.href ?? "") === withoutSlash(url.href) || one === url.origin,
  );
}
