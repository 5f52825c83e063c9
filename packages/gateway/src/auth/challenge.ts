import type { Fault } from "@recourse/faults";
import { challengeFor } from "@recourse/faults/internal-do-not-use";
import { type MetadataConfig, resourceMetadataUrl } from "./resource-metadata.ts";

/** Writes `WWW-Authenticate` for the faults of a gateway; undefined for those that need none. It says where tokens come from, never why credentials were refused. */
export function challenges(config: MetadataConfig): (fault: Fault) => string | undefined {
  const given = { resourceMetadata: resourceMetadataUrl(config) };
  return (fault) => challengeFor(fault, {}, given);
}
