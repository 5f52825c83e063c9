import type { CliFailure, OptionValues } from "../program/command.ts";
import { usageFailure } from "../program/output.ts";
import type { EnvironmentVariables } from "../terminal/terminal.ts";

/** A command line of `recourse doctor` that cannot be carried out. */
export const doctorUsage = (message: string): CliFailure => usageFailure(message, "recourse doctor --help");

const DEFAULT_TIMEOUT_S = 10;
const MAX_TIMEOUT_S = 3_600;

/** How long to wait for an answer, in milliseconds. */
export function readTimeout(options: OptionValues): number | CliFailure {
  const timeout = Number(options["timeout"] ?? DEFAULT_TIMEOUT_S);
  if (timeout > 0 && timeout <= MAX_TIMEOUT_S) return timeout * 1000;
  return doctorUsage(`The option --timeout needs a number of seconds up to ${MAX_TIMEOUT_S}.`);
}

const PAIR_NAME = /^[\w.!#$%&'*+^`|~-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what cannot be sent in a header or a variable.
const UNSENDABLE = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/**
 * The pairs of an option by name. Undefined if one of them cannot be read. `environment` is where `-e NAME` takes its value
 * from, as in `recourse probe`.
 */
export function readPairs(
  options: OptionValues,
  name: string,
  separator: ":" | "=",
  environment: EnvironmentVariables = {},
): Record<string, string> | undefined {
  const pairs: Record<string, string> = {};
  for (const text of [options[name] ?? []].flat().map(String)) {
    const at = text.indexOf(separator);
    const passedOn = at < 0 && Object.hasOwn(environment, text) ? environment[text] : undefined;
    if (passedOn !== undefined) {
      pairs[text] = passedOn;
      continue;
    }
    const key = text.slice(0, at).trim();
    const value = separator === ":" ? text.slice(at + 1).trim() : text.slice(at + 1);
    if (at < 1 || !PAIR_NAME.test(key) || UNSENDABLE.test(value)) return undefined;
    pairs[separator === ":" ? key.toLowerCase() : key] = value;
  }
  return pairs;
}
