import type { SecretFilter } from "@recourse/faults";
import { credentialFilter, joinSecrets } from "@recourse/faults/internal-do-not-use";
import type { UpstreamCredential, UpstreamOptions } from "../config/types.ts";
import { callerSecrets } from "../edge/caller-secrets.ts";
import type { RequestHead } from "../edge/head.ts";

const known = new WeakMap<UpstreamOptions, { readonly filter: SecretFilter | undefined }>();

/** Finds the credential that an upstream was shown, and those that the caller showed to the gateway. */
export function secretsOf(upstream: UpstreamOptions, head: RequestHead): SecretFilter | undefined {
  return joinSecrets(upstreamSecrets(upstream), callerSecrets(head));
}

function upstreamSecrets(upstream: UpstreamOptions): SecretFilter | undefined {
  const found = known.get(upstream) ?? { filter: credentialFilter(credentialValues(upstream.credential)) };
  known.set(upstream, found);
  return found.filter;
}

/** What of a credential is secret. */
export function credentialValues(credential: UpstreamCredential): readonly string[] {
  switch (credential.kind) {
    case "none":
      return [];
    case "bearer":
      return [credential.token];
    case "header":
      return [credential.value];
    default:
      return credential satisfies never;
  }
}
