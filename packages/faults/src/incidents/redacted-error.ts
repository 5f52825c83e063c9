import { peekString } from "../errors/peek.ts";
import { findPattern } from "../safety/pattern-filter.ts";
import type { RuleGroup } from "../safety/rules/rule.ts";
import { containsSecret } from "../safety/secrets.ts";
import { causesOf, MAX_SEARCHED, redactLines, stackOf } from "./describe-cause.ts";
import type { Incident } from "./incident.ts";

/** What an operator has to see to find the cause: everything but credentials, keys of providers and personal data. */
const SHOWN: readonly RuleGroup[] = ["code", "database", "host", "hostile", "id", "markup", "path", "system", "url"];
const MAX_NAME = 128;

/**
 * A copy of the error behind an incident, for error trackers and other services that take an Error and send it away. It has
 * the name, message, stack and causes of the original and none of its other members. Lines are replaced that contain a
 * registered secret or a credential of the request, and lines of messages that look like a credential or personal data. If
 * nothing was thrown, it is named after the reason of the fault.
 *
 * @example
 * guard(server, { sink: (incident) => Sentry.captureException(redactedError(incident)) });
 */
export function redactedError(incident: Pick<Incident, "fault" | "cause" | "secrets">): Error {
  const { fault, cause, secrets } = incident;
  if (cause === undefined) return asError({ name: fault.reason, message: fault.message });
  return causesOf(cause).reduceRight<Error | undefined>(
    (below, one) => asError({ ...partsOf(one, (text) => containsSecret(text, secrets)), cause: below }),
    undefined,
  ) as Error;
}

interface ErrorParts {
  readonly name: string;
  readonly message: string;
  /** @default name and message */
  readonly stack?: string;
  readonly cause?: Error | undefined;
}

function partsOf(thrown: unknown, isSecret: (text: string) => boolean): ErrorParts {
  const stack = stackOf(thrown).slice(0, MAX_SEARCHED);
  const isObject = typeof thrown === "object" && thrown !== null;
  const message = (isObject ? (peekString(thrown, "message") ?? "") : stack).slice(0, MAX_SEARCHED);
  // Names of functions and files in the frames below may look like credentials.
  const start = stack.indexOf(message);
  const frames = start < 0 || start > MAX_NAME ? Number.POSITIVE_INFINITY : linesIn(stack.slice(0, start) + message);
  const looksSecret = (text: string) => findPattern(text, { allow: SHOWN }) !== undefined;
  const isHidden = (text: string, line = frames) => line < frames && looksSecret(text);
  // Known secrets first: a line of one that also looks like a credential must not hide the others from the search.
  const [name = ""] = redactLines(
    (isObject ? peekString(thrown, "name") : undefined) ?? "Error",
    isSecret,
    looksSecret,
  );
  return {
    name: name.slice(0, MAX_NAME),
    message: redactLines(message, isSecret, looksSecret).join("\n"),
    stack: redactLines(stack, isSecret, isHidden).join("\n"),
  };
}

function linesIn(text: string): number {
  return text.split("\n").length;
}

function asError({ name, message, stack = `${name}: ${message}`, cause }: ErrorParts): Error {
  const error = new Error(message, cause === undefined ? {} : { cause });
  // As in the errors of the platform, these are not enumerable: they are no extra data.
  Object.defineProperty(error, "name", { value: name, configurable: true });
  Object.defineProperty(error, "stack", { value: stack, configurable: true });
  return error;
}
