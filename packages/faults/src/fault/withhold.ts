import { holdsSecret } from "../safety/nets.ts";
import type { SecretFilter } from "../safety/secrets.ts";
import { pack } from "./clean.ts";
import type { Fault } from "./fault.ts";
import { KINDS, knownKind } from "./kinds.ts";
import { readFault } from "./read.ts";

/**
 * Checks a finished fault against secrets that were not known where it was built, such as those of the request:
 * a string that holds one is dropped, a message becomes the constant sentence of its kind.
 */
export function withhold(fault: Fault, secrets?: SecretFilter): Fault {
  const holds = (text: string) => holdsSecret(text, secrets);
  const { cause, ...own } = fault;
  const cleanCause = cause && withhold(cause, secrets);
  if (cleanCause === cause && !someText(own, holds)) return fault;
  // A message may show a part of a param, or a quoted form of it.
  const tainted = holds(fault.message) || someText(fault.params, holds);
  const message = tainted ? KINDS[knownKind(fault)].sentence : fault.message;
  // Authored sentences are put back after reading, since a word of theirs may be a secret by chance.
  const clean = readFault({ ...own, message: "-" }, { secrets });
  return clean === undefined ? fault : pack<Fault>({ ...clean, message, cause: cleanCause });
}

/** Tells whether any text in a plain value satisfies a test; each is looked at as it is, not as JSON would escape it. */
function someText(value: unknown, test: (text: string) => boolean): boolean {
  if (typeof value === "string") return test(value);
  return typeof value === "object" && value !== null && Object.values(value).some((member) => someText(member, test));
}
