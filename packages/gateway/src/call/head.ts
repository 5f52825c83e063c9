import type { SecretFilter } from "@recourse/core";
import { credentialFilter, isCredentialHeader } from "@recourse/core/proxy";
import { isSameText } from "./binding.ts";

/** The first lines of a request: all that is known before its body is read. */
export interface RequestHead {
  readonly method: string;
  /** Path of the URL, without the query. */
  readonly path: string;
  /** The names of the headers that were sent, in lower case. */
  readonly names: readonly string[];
  /** The value of a header, by its name in lower case; undefined if it is missing. */
  header(name: string): string | undefined;
  /** The address of the caller: that of the connection, or what a proxy of the configuration says. */
  readonly address: string;
  /** The address of the gateway that it came in at; undefined if it is not known. */
  readonly localAddress?: string | undefined;
  /** One value for all requests of a connection, to remember by it what they have in common. */
  readonly connection?: object | undefined;
}

/** The filter for the credentials of a request. */
interface CachedFilter {
  readonly credentials: string;
  readonly filter: SecretFilter | undefined;
}

/** By connection: most show the same credentials with every request, and these are forgotten when it closes. */
const cachedFilters = new WeakMap<object, CachedFilter>();

/** By request: several parts of a failed call ask for it. */
const requestFilters = new WeakMap<RequestHead, CachedFilter["filter"]>();

/** Finds the credentials that came with a request: they go neither into an answer nor into a log. */
export function callerSecrets(head: RequestHead): SecretFilter | undefined {
  const known = requestFilters.get(head);
  if (known !== undefined) return known;
  const filter = connectionFilter(head);
  requestFilters.set(head, filter);
  return filter;
}

function connectionFilter(head: RequestHead): SecretFilter | undefined {
  const sent = callerCredentials(head);
  if (sent.length === 0) return undefined;
  // No header contains a line break.
  const credentials = sent.join("\n");
  const place = head.connection ?? head;
  const before = cachedFilters.get(place);
  if (before !== undefined && isSameText(before.credentials, credentials)) return before.filter;
  const filter = credentialFilter(sent);
  cachedFilters.set(place, { credentials, filter });
  return filter;
}

/** The values of the headers that hold credentials. */
export function callerCredentials(head: RequestHead): readonly string[] {
  const sent: string[] = [];
  for (const name of head.names) {
    const value = isCredentialHeader(name) ? head.header(name) : undefined;
    if (value !== undefined) sent.push(value);
  }
  return sent;
}
