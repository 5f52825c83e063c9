import type { SecretFilter } from "@recourse/core";
import { entriesOf, parseJson } from "@recourse/core/wire";
import type { EnvironmentVariables } from "../terminal/terminal.ts";
import type { OptionSpec, ParsedArguments } from "./command.ts";

/** What stands for a secret in everything that is printed. */
export const HIDDEN_MARK = "[hidden]";

/** Whether an argument is the address of a server, not a program. */
export function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

/** Whether an argument is a configuration file of a host, not a program. */
export function isConfigFile(text: string): boolean {
  return /\.(?:jsonc?|toml)$/i.test(text) && !isAddress(text);
}

/** Names of query members, arguments, headers and variables whose values are secrets. The one rule of all commands. */
export const SECRET_NAME = /(?:key|token|secret|pass|pwd|auth|credential|cookie|signature|^sig$|^code$|session)/i;

/** An address as it may be shown: without user and password, and with the secrets of its query replaced. */
export function printableUrl(address: string | URL): string {
  const url = parseUrl(address);
  if (url === undefined) return String(address);
  url.username = "";
  url.password = "";
  const names = [...url.searchParams.keys()].filter((name) => SECRET_NAME.test(name));
  for (const name of names) url.searchParams.set(name, HIDDEN_MARK);
  return url.href.replaceAll(encodeURIComponent(HIDDEN_MARK), HIDDEN_MARK);
}

/** What `printableUrl` leaves out: user, password and the values of secret members. */
function urlSecrets(address: string | URL): string[] {
  const url = parseUrl(address);
  if (url === undefined) return findPassword(String(address));
  const query = [...url.searchParams].filter(([name]) => SECRET_NAME.test(name)).map(([, value]) => value);
  const user = [url.username, url.password].flatMap((one) => [one, decodePart(one)]);
  return [...user, ...query, ...findPassword(String(address)).filter((one) => !user.includes(one))].filter(
    (one) => one !== "",
  );
}

/** A password with characters that should have been escaped: all before the last @. A port is not one. */
function findPassword(address: string): string[] {
  const [, password] = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:(?!\d{1,5}(?:\/|$))(\S+)@/i.exec(address) ?? [];
  return password === undefined ? [] : [password];
}

function parseUrl(address: string | URL): URL | undefined {
  return URL.canParse(String(address)) ? new URL(address) : undefined;
}

/** A part of an address without percent escapes, as it is if they are wrong. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** User and password of an address as Basic credentials. Undefined if it has none. */
export function basicCredentials({ username, password }: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  return `Basic ${Buffer.from(`${decodePart(username)}:${decodePart(password)}`).toString("base64")}`;
}

/** Shorter values would be found in ordinary words and numbers. The library draws the same line. */
const MIN_HIDDEN_LENGTH = 6;

const PUBLIC_NAMES =
  /^(?:accept|accept-encoding|accept-language|content-type|user-agent|origin|mcp-protocol-version|node_env|log_level|port|host|lang|tz|path|home|pwd)$/i;

/** Whether a header or a variable holds no secret, by its name: hiding `application/json` would spoil every report. */
export function isPublicName(name: string): boolean {
  return PUBLIC_NAMES.test(name);
}

/** Separates the name from the value. */
const PAIR_SEPARATORS = { header: ":", variable: "=" } as const satisfies Record<
  NonNullable<OptionSpec["secret"]>,
  string
>;

/**
 * The secrets that were typed: marked options, user and password of addresses, and arguments such as `--token x`. `env` is
 * where `-e NAME` takes its value from.
 */
export function typedSecrets(
  { positionals, options }: ParsedArguments,
  specs: Readonly<Record<string, OptionSpec>>,
  env: EnvironmentVariables = {},
): string[] {
  const marked = Object.entries(specs).flatMap(([name, { secret }]) =>
    secret === undefined ? [] : [options[name] ?? []].flat().flatMap((text) => pairSecrets(String(text), secret, env)),
  );
  return [...marked, ...argumentSecrets(positionals)];
}

/** The secrets in the arguments of a program. */
function argumentSecrets(args: readonly string[]): string[] {
  return args.flatMap((arg, at) => {
    const [, name = "", value] = /^(?:-{1,2})?([\w.-]+)=(.+)$/s.exec(arg) ?? [];
    const inline = value !== undefined && SECRET_NAME.test(name) ? typedForms(value) : [];
    const before = args[at - 1] ?? "";
    const follows = /^-{1,2}[\w.-]+$/.test(before) && SECRET_NAME.test(before) && !arg.startsWith("-");
    return [...inline, ...(follows ? typedForms(arg) : []), ...urlSecrets(arg), ...urlSecrets(value ?? "")];
  });
}

function pairSecrets(text: string, secret: keyof typeof PAIR_SEPARATORS, env: EnvironmentVariables): string[] {
  const at = text.indexOf(PAIR_SEPARATORS[secret]);
  const passedOn = secret === "variable" && at < 0 && Object.hasOwn(env, text) ? env[text] : undefined;
  if (passedOn !== undefined) return isPublicName(text) ? [] : typedForms(passedOn);
  // A pair without a separator is a mistake, and all of it may be the value.
  const [name, value] = at < 0 ? ["", text] : [text.slice(0, at), text.slice(at + 1)];
  return isPublicName(name.trim()) ? [] : typedForms(value.trim());
}

/** The value, and the parts of it that are secrets by themselves. */
function typedForms(value: string): string[] {
  const [, scheme, token] = /^([A-Za-z][\w-]*) +(\S.*)$/s.exec(value) ?? [];
  const basic = scheme?.toLowerCase() === "basic" && token !== undefined ? atobOrEmpty(token) : "";
  const password = basic.slice(basic.indexOf(":") + 1);
  return [value, token ?? "", basic, password, ...urlSecrets(value)].filter((one) => one !== "");
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
  /** A text without the secrets. JSON, also as lines, is still JSON afterwards. */
  clean(text: string): string;
  /** A copy of plain data without the secrets, in names too. What is made from it needs no other filter. */
  cleanValue<T>(value: T): T;
}

/** `createFilter` finds secrets in other encodings too. It is `createSecretFilter` of the library. */
export function createHider(createFilter?: (values: Iterable<string>) => SecretFilter): Hider {
  const known = new Set<string>();
  let made: { readonly forms: readonly string[]; readonly filter: SecretFilter | undefined } | undefined;
  /** Made when a text is cleaned: a file with hundreds of servers hides the secrets of one after the other. */
  const search = () => {
    // The longest first: one secret may be a part of another.
    made ??= {
      forms: [...new Set([...known].flatMap(writtenForms))].toSorted((a, b) => b.length - a.length),
      filter: known.size === 0 ? undefined : createFilter?.(known),
    };
    return made;
  };

  const cleanText = (text: string): string => {
    const { forms, filter } = search();
    const cleaned = forms.reduce((so, form) => so.replaceAll(form, HIDDEN_MARK), text);
    if (filter?.has(cleaned) !== true) return cleaned;
    // Encoded somehow: the words that contain it go as a whole.
    return cleaned.replaceAll(/[^\s"'<>()[\]{},;]+/g, (word) => (filter?.has(word) === true ? HIDDEN_MARK : word));
  };
  const cleanScalar = (scalar: string | number): string | number => {
    const { forms, filter } = search();
    // A number stays a number: readers of the document count on it.
    if (typeof scalar === "number") return forms.some((form) => String(scalar).includes(form)) ? 0 : scalar;
    const cleaned = cleanText(scalar);
    return cleaned !== scalar && filter?.has(cleaned) === true ? HIDDEN_MARK : cleaned;
  };
  const cleanValue = <T>(value: T): T => (known.size === 0 ? value : mapScalars(value, cleanScalar));

  return {
    hide(...secrets) {
      for (const secret of secrets) if (secret.length >= MIN_HIDDEN_LENGTH) known.add(secret);
      made = undefined;
    },
    clean: (text) => (known.size === 0 ? text : (cleanJsonText(text, cleanValue) ?? cleanText(text))),
    cleanValue,
  };
}

/** A server may answer with thousands of nested lists. What is nested deeper than this is left out. */
const MAX_COPIED_DEPTH = 500;
const LEFT_OUT = "[nested too deep]";

/**
 * A copy of plain data in which every string, name and number went through `change`. A number distinguishes two names
 * that become the same.
 */
export function mapScalars<T>(value: T, change: (scalar: string | number) => string | number): T {
  const copy = (one: unknown, depth: number): unknown => {
    if (typeof one === "string" || typeof one === "number") return change(one);
    if (typeof one !== "object" || one === null) return one;
    if (depth > MAX_COPIED_DEPTH) return LEFT_OUT;
    if (Array.isArray(one)) return one.map((item) => copy(item, depth + 1));
    const members = new Map<string, unknown>();
    for (const [name, member] of entriesOf(one))
      members.set(freeName(String(change(name)), members), copy(member, depth + 1));
    return Object.fromEntries(members);
  };
  return copy(value, 0) as T;
}

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name} ${number}`)) number += 1;
  return `${name} ${number}`;
}

/** JSON or lines of JSON with cleaned values: cutting in the text could cut a quotation mark or a name. */
function cleanJsonText(text: string, cleanValue: (value: unknown) => unknown): string | undefined {
  if (!/^\s{0,80}[[{]/.test(text)) return undefined;
  const [, end = ""] = /(\s{0,80})$/.exec(text) ?? [];
  const whole = parseJson(text, Number.POSITIVE_INFINITY);
  if (whole !== undefined) {
    const [, indent] = /^[[{]\n( {1,10})\S/.exec(text) ?? [];
    return `${JSON.stringify(cleanValue(whole), undefined, indent?.length)}${end}`;
  }
  const lines = text
    .slice(0, text.length - end.length)
    .split("\n")
    .map((line) => parseJson(line));
  if (lines.length < 2 || lines.includes(undefined)) return undefined;
  return `${lines.map((line) => JSON.stringify(cleanValue(line))).join("\n")}${end}`;
}

/** How a value may stand in a text: as it is, in JSON, in JSON within JSON, and in an address. */
export function writtenForms(value: string): string[] {
  const once = JSON.stringify(value).slice(1, -1);
  return [value, once, JSON.stringify(once).slice(1, -1), encodeURIComponent(value.toWellFormed())];
}
