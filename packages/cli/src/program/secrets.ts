import type { SecretFilter } from "@recourse/faults";
import type { Environment } from "../terminal/output.ts";
import type { Given, OptionSpec } from "./command.ts";
import { SECRET_NAME, secretsOfUrl } from "./printable-url.ts";

/** Shorter values would be found in ordinary words and numbers. The library draws the same line. */
const MIN_LENGTH = 6;

const HIDDEN = "[hidden]";

/** Headers and variables whose values are no secrets: hiding `application/json` would spoil every report. */
const PUBLIC_NAMES: ReadonlySet<string> = new Set(
  "accept accept-encoding accept-language content-type mcp-protocol-version node_env log_level port host lang tz path home pwd".split(
    " ",
  ),
);

/** Separates the name from the value. */
const SEPARATORS = { header: ":", variable: "=" } as const satisfies Record<NonNullable<OptionSpec["secret"]>, string>;

/**
 * The secrets that were typed: marked options, user and password of addresses, and arguments such as `--token x`. `env` is
 * where `-e NAME` takes its value from.
 */
export function secretsIn(
  { positionals, options }: Given,
  specs: Readonly<Record<string, OptionSpec>>,
  env: Environment = {},
): string[] {
  const marked = Object.entries(specs).flatMap(([name, { secret }]) =>
    secret === undefined
      ? []
      : [options[name] ?? []].flat().flatMap((text) => secretsOfPair(String(text), secret, env)),
  );
  return [...marked, ...secretsOfArguments(positionals)];
}

/** The secrets in the arguments of a program. */
function secretsOfArguments(args: readonly string[]): string[] {
  return args.flatMap((arg, at) => {
    const [, name = "", value] = /^(?:-{1,2})?([\w.-]+)=(.+)$/s.exec(arg) ?? [];
    const inline = value !== undefined && SECRET_NAME.test(name) ? secretForms(value) : [];
    const before = args[at - 1] ?? "";
    const follows = /^-{1,2}[\w.-]+$/.test(before) && SECRET_NAME.test(before) && !arg.startsWith("-");
    return [...inline, ...(follows ? secretForms(arg) : []), ...secretsOfUrl(arg), ...secretsOfUrl(value ?? "")];
  });
}

function secretsOfPair(text: string, secret: keyof typeof SEPARATORS, env: Environment): string[] {
  const at = text.indexOf(SEPARATORS[secret]);
  const passedOn = secret === "variable" && at < 0 && Object.hasOwn(env, text) ? env[text] : undefined;
  if (passedOn !== undefined) return PUBLIC_NAMES.has(text.toLowerCase()) ? [] : secretForms(passedOn);
  // A pair without a separator is a mistake, and all of it may be the value.
  const [name, value] = at < 0 ? ["", text] : [text.slice(0, at), text.slice(at + 1)];
  return PUBLIC_NAMES.has(name.trim().toLowerCase()) ? [] : secretForms(value.trim());
}

/** The value, and the parts of it that are secrets by themselves. */
function secretForms(value: string): string[] {
  const [, scheme, token] = /^([A-Za-z][\w-]*) +(\S.*)$/s.exec(value) ?? [];
  const basic = scheme?.toLowerCase() === "basic" && token !== undefined ? atobOrEmpty(token) : "";
  const password = basic.slice(basic.indexOf(":") + 1);
  return [value, token ?? "", basic, password, ...secretsOfUrl(value)].filter((one) => one !== "");
}

function atobOrEmpty(text: string): string {
  try {
    return atob(text);
  } catch {
    return "";
  }
}

/** Removes secrets from what is written. */
export interface Hider {
  hide(...secrets: readonly string[]): void;
  clean(text: string): string;
}

/** `createFilter` finds secrets in other encodings too. It is `createSecretFilter` of the library. */
export function createHider(createFilter?: (values: Iterable<string>) => SecretFilter): Hider {
  const known = new Set<string>();
  let forms: readonly string[] = [];
  let filter: SecretFilter | undefined;
  return {
    hide(...secrets) {
      for (const secret of secrets) if (secret.length >= MIN_LENGTH) known.add(secret);
      // The longest first: one secret may be a part of another.
      forms = [...new Set([...known].flatMap(writtenForms))].toSorted((a, b) => b.length - a.length);
      filter = known.size === 0 ? undefined : createFilter?.(known);
    },
    clean(text) {
      if (known.size === 0) return text;
      const cleaned = forms.reduce((so, form) => so.replaceAll(form, () => replacementOf(form)), text);
      if (filter?.has(cleaned) !== true) return cleaned;
      // Encoded somehow: the words that contain it go as a whole.
      return cleaned.replaceAll(/[^\s"'<>()[\]{},;]+/g, (word) => (filter?.has(word) === true ? HIDDEN : word));
    },
  };
}

/** A number stays a number, or the JSON around it would break. */
function replacementOf(form: string): string {
  return /^\d+$/.test(form) ? "0" : HIDDEN;
}

/** How a value may stand in a text, in JSON and in an address. */
function writtenForms(value: string): string[] {
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())];
}
