import { logPairs } from "../render/log.ts";
import type { SecretFilter } from "../safety/secrets.ts";
import { cleanText } from "./clean-text.ts";
import { readThrown, type ThrownError } from "./read-thrown.ts";

/**
 * The thrown error as lines for an operator: the stack and the fields of each error, of the members of an `AggregateError`
 * and of the causes. Secrets are cut out. It runs no code of the thrown value.
 */
export function describeCause(of: {
  readonly cause?: unknown;
  readonly secrets?: SecretFilter | undefined;
}): readonly string[] {
  if (of.cause === undefined) return [];
  return cleanText(textOf(readThrown(of.cause)), { secrets: of.secrets }).split("\n");
}

function textOf({ stack, fields, errors, errorCount, cause }: ThrownError): string {
  const about = logPairs(fields);
  const members = errors.map((one, index) => `error ${index + 1} of ${errorCount}: ${textOf(one)}`);
  const below = cause === undefined ? [] : [`caused by ${textOf(cause)}`];
  return [stack, ...(about === "" ? [] : [`    with ${about}`]), ...members, ...below].join("\n");
}
