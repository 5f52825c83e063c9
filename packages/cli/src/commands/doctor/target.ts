import { resolve } from "node:path";
import type { HttpTarget } from "../../doctor/diagnose-http.ts";
import type { ProgramTarget } from "../../doctor/diagnose-program.ts";
import { hostEnvironment } from "../../platform/environment.ts";
import type { CommandFailure, Given, OptionValues } from "../../program/command.ts";
import type { Io } from "../../program/io.ts";
import { decoded, isAddress } from "../../program/printable-url.ts";

/** What to look at, and for how long. */
export interface DoctorTarget {
  readonly target: ({ readonly transport: "http" } & HttpTarget) | ({ readonly transport: "stdio" } & ProgramTarget);
  readonly timeoutMs: number;
}

const DEFAULT_TIMEOUT_S = 10;
const MAX_TIMEOUT_S = 3_600;

/** Reads what was typed. Values are never repeated in a refusal: they may be secrets. */
export function readTarget(
  { positionals, options }: Given,
  io: Pick<Io, "env" | "cwd">,
): DoctorTarget | CommandFailure {
  const [first, ...rest] = positionals;
  if (first === undefined) return usage("Give the address of a server, or the command that starts it.");
  const timeout = Number(options["timeout"] ?? DEFAULT_TIMEOUT_S);
  if (!(timeout > 0 && timeout <= MAX_TIMEOUT_S))
    return usage(`The option --timeout needs a number of seconds up to ${MAX_TIMEOUT_S}.`);
  const timeoutMs = timeout * 1000;
  if (!isAddress(first)) {
    if (options["header"] !== undefined)
      return usage("The option --header is for addresses; a program has no headers.");
    const given = pairsOf(options, "env", "=");
    if (given === undefined) return usage("The option -e needs NAME=value.");
    const env = hostEnvironment(io.env, given);
    const withheld = new Set(Object.keys(io.env).filter((name) => !(name in env)));
    const folder = resolve(io.cwd, String(options["cwd"] ?? "."));
    return { target: { transport: "stdio", command: [first, ...rest], folder, env, withheld }, timeoutMs };
  }
  const stray = ["env", "cwd"].find((name) => options[name] !== undefined);
  if (stray !== undefined) return usage(`The option --${stray} is for programs, and an address was given.`);
  if (rest.length > 0) return usage("Give one address only.");
  const url = URL.parse(first);
  if (url === null) return usage("The address is not a URL.");
  const headers = pairsOf(options, "header", ":");
  if (headers === undefined) return usage("The option --header needs 'Name: value'.");
  return { target: { transport: "http", url, headers: { ...basicOf(url), ...headers } }, timeoutMs };
}

/** User and password of an address travel as Basic credentials. */
function basicOf({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  const pair = `${decoded(username)}:${decoded(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}

const NAME = /^[\w.!#$%&'*+^`|~-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what cannot be sent in a header or a variable.
const UNSENDABLE = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** The pairs of an option by name. Undefined if one of them cannot be read. */
function pairsOf(options: OptionValues, name: string, separator: ":" | "="): Record<string, string> | undefined {
  const pairs: Record<string, string> = {};
  for (const text of [options[name] ?? []].flat().map(String)) {
    const at = text.indexOf(separator);
    const key = text.slice(0, at).trim();
    const value = separator === ":" ? text.slice(at + 1).trim() : text.slice(at + 1);
    if (at < 1 || !NAME.test(key) || UNSENDABLE.test(value)) return undefined;
    pairs[separator === ":" ? key.toLowerCase() : key] = value;
  }
  return pairs;
}

function usage(message: string): CommandFailure {
  return { exit: "usage", code: "usage", message, fix: "recourse doctor --help" };
}
