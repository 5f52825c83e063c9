import { type CleanLogTextOptions, cleanLogText } from "../safety/clean-log-text.ts";
import { loadTextFilter } from "../safety/full-search.ts";
import type { RuleGroup } from "../safety/rules/rule.ts";
import type { SecretFilter } from "../safety/secrets.ts";
import { readThrown, type ThrownError } from "./describe-cause.ts";
import type { Incident } from "./incident.ts";

/** What no other service has to see to show the cause. */
const CUT_GROUPS: readonly RuleGroup[] = ["credential", "personal", "provider"];
const MAX_ERROR_NAME = 128;
const MAX_ERROR_MESSAGE = 16_384;
/**
 * A copy of the error behind an incident, for error trackers and other services that take an Error and send it away. It has
 * the name, message, stack, causes and members (`errors`) of the original and none of its other properties. Registered
 * secrets and credentials of the request are cut out of it, and so is what looks like a credential or personal data in
 * messages. If nothing was thrown, it is named after the reason of the fault.
 *
 * @example
 * guard(server, { sink: (incident) => Sentry.captureException(redactedError(incident)) });
 */
export function redactedError(incident: Pick<Incident, "fault" | "cause" | "secrets">): Error {
  const { fault, cause, secrets } = incident;
  loadTextFilter();
  if (cause === undefined) return asError({ name: fault.reason, message: fault.message });
  return redactedCopy(readThrown(cause), secrets);
}

function redactedCopy(thrown: ThrownError, secrets: SecretFilter | undefined): Error {
  const careful: CleanLogTextOptions = { secrets, hide: CUT_GROUPS };
  const message = cleanLogText(thrown.message, careful);
  return asError({
    name: cleanLogText(thrown.name, { ...careful, max: MAX_ERROR_NAME }),
    message,
    stack: redactStack(thrown, careful),
    errors: thrown.errors.map((one) => redactedCopy(one, secrets)),
    cause: thrown.cause && redactedCopy(thrown.cause, secrets),
  });
}

/** The message is cleaned as such. Names of functions and files in the frames below it may look like credentials. */
function redactStack({ stack, message, name }: ThrownError, careful: CleanLogTextOptions): string {
  const start = stack.indexOf(message);
  const isHeader = start >= 0 && start <= MAX_ERROR_NAME + name.length && message.length < MAX_ERROR_MESSAGE;
  if (!isHeader) return cleanLogText(stack, careful);
  const firstLine = stack.indexOf("\n");
  const end = Math.max(start + message.length, message !== "" ? 0 : firstLine < 0 ? stack.length : firstLine);
  const header = cleanLogText(stack.slice(0, end), careful);
  return header + cleanLogText(stack.slice(end), { secrets: careful.secrets, max: MAX_ERROR_MESSAGE - header.length });
}

interface ErrorParts {
  readonly name: string;
  readonly message: string;
  /** @default name and message */
  readonly stack?: string;
  readonly errors?: readonly Error[];
  readonly cause?: Error | undefined;
}

function asError({ name, message, stack = `${name}: ${message}`, errors = [], cause }: ErrorParts): Error {
  const options = cause === undefined ? {} : { cause };
  const error = errors.length === 0 ? new Error(message, options) : new AggregateError(errors, message, options);
  // As in the errors of the platform, these are not enumerable: they are no extra data.
  Object.defineProperty(error, "name", { value: name, configurable: true });
  Object.defineProperty(error, "stack", { value: stack, configurable: true });
  return error;
}
