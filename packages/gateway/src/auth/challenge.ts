import type { Fault } from "@recourse/faults";
import { challengeFor } from "@recourse/faults/internal-do-not-use";
import { type MetadataConfig, resourceMetadataUrl } from "./resource-metadata.ts";

/** Tells hosts and people that the tokens are keys, which are given out by hand: there is nothing to sign in to. */
const KEYS_REALM = "API key";

/** Writes `WWW-Authenticate` for the faults of a gateway; undefined for those that need none. It says where tokens come from, never why credentials were refused. */
export function challenges(config: MetadataConfig): (fault: Fault) => string | undefined {
  const realm = config.jwt === undefined ? KEYS_REALM : undefined;
  const given = { realm, resourceMetadata: resourceMetadataUrl(config) };
  return (fault) => challengeFor(fault, {}, given);
}
