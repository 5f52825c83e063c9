import { hash } from "node:crypto";
import type { SecretFilter } from "@recourse/faults";
import { credentialFilter, isCredentialHeader } from "@recourse/faults/internal-do-not-use";
import type { RequestHead } from "./head.ts";

/** The filter for the credentials of a request. */
interface Known {
  /** Of the credentials. Compared instead of them, since how long that takes says nothing about them. */
  readonly digest: string;
  readonly filter: SecretFilter | undefined;
}

/** By connection: most show the same credentials with every request, and these are forgotten when it closes. */
const known = new WeakMap<object, Known>();

/** Finds the credentials that came with a request: they go neither into an answer nor into a log. */
export function callerSecrets(head: RequestHead): SecretFilter | undefined {
  const sent = callerCredentials(head);
  if (sent.length === 0) return undefined;
  // No header contains a line break.
  const digest = hash("sha256", sent.join("\n"), "base64");
  const place = head.connection ?? head;
  const before = known.get(place);
  if (before?.digest === digest) return before.filter;
  const filter = credentialFilter(sent);
  known.set(place, { digest, filter });
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
