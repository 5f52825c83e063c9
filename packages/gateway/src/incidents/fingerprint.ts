import { hash } from "node:crypto";
import { fingerprint } from "@recourse/faults/retry";
import { nameOf, placeOf } from "./causes.ts";
import type { GatewayIncident } from "./incidents.ts";

/** Hex digits of a fingerprint. */
const LENGTH = 32;

/** The same for incidents with the same cause, as far as can be told: upstream, tool, fault, class and place of the error. */
export function fingerprintOf({
  upstream,
  tool,
  fault,
  cause,
}: Pick<GatewayIncident, "upstream" | "tool" | "fault" | "cause">): string {
  const thrown = cause === undefined ? [] : [nameOf(cause), placeOf(cause)];
  return digest([upstream ?? "", tool ?? "", fingerprint(fault), ...thrown]);
}

/** Stands for all fingerprints of an upstream that are too many to be told apart. */
export function otherFingerprint(upstream: string | undefined): string {
  return digest(["other", upstream ?? ""]);
}

function digest(parts: readonly string[]): string {
  return hash("sha256", JSON.stringify(parts), "hex").slice(0, LENGTH);
}
