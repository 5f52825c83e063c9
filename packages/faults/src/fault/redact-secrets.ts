import { limitFilters } from "../safety/filter-work.ts";
import type { SecretFilter } from "../safety/secrets.ts";
import { containsSecret } from "../safety/secrets.ts";
import { keepAssumption } from "./assumed-effect.ts";
import { type Fault, packFault } from "./fault.ts";
import { KINDS, knownKind } from "./kinds.ts";
import { provenanceOf } from "./provenance.ts";
import { readOwnFault } from "./read.ts";
import { withoutTexts } from "./without-texts.ts";

/**
 * Removes secrets from a finished fault, such as credentials of the request that were not known when it was built.
 * A text that contains a secret is removed as a whole, and a message is replaced by the general message of its kind.
 */
export function redactSecrets(fault: Fault, secrets?: SecretFilter): Fault {
  return limitFilters(() => redact(fault, secrets));
}

function redact(fault: Fault, secrets: SecretFilter | undefined): Fault {
  const isSecret = (text: string) => containsSecret(text, secrets);
  const { cause, ...own } = fault;
  const cleanCause = cause && redact(cause, secrets);
  if (cleanCause === cause && !someText(own, isSecret)) return fault;
  // A message may show a part of a param, or a quoted form of it.
  const isTainted = isSecret(fault.message) || someText(fault.params, isSecret);
  const message = isTainted ? KINDS[knownKind(fault)].fallbackMessage : fault.message;
  // The message is set after reading: a word in an authored sentence may be a secret by coincidence.
  const clean = readOwnFault({ ...own, message: "-" }, { secrets });
  if (clean === undefined) return withoutTexts(fault);
  return keepAssumption(packFault({ ...clean, message, cause: cleanCause }, provenanceOf(fault)), fault);
}

/** Tells whether any text in a value passes a test. Texts are tested as they are, not as JSON escapes them. */
function someText(value: unknown, test: (text: string) => boolean): boolean {
  if (typeof value === "string") return test(value);
  return typeof value === "object" && value !== null && Object.values(value).some((member) => someText(member, test));
}
