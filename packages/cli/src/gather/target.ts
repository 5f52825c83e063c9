import { MIN_SECRET_LENGTH } from "@recourse/core";
import {
  basicCredentials,
  decodePart,
  isPublicName,
  mapScalars,
  SECRET_NAME,
  writtenForms,
} from "../program/secrets.ts";
import { HIDDEN_IN_RECORDING, type RecordedTarget } from "../recording/recording.ts";
import type { TargetSpec } from "../wire/limits.ts";

/** Where a target is, and what of it may be shown. */
type TargetDescription =
  | { readonly ok: true; readonly place: TargetPlace; readonly shown: Pick<RecordedTarget, "url" | "command"> }
  | { readonly ok: false; readonly because: string };

/** A server or a program, and what is sent along. */
type TargetPlace = (
  | {
      readonly transport: "http";
      /** Without user and password. */
      readonly url: URL;
    }
  | Extract<TargetSpec, { readonly transport: "stdio" }>
) & {
  /** Names in lower case; user and password of the URL become a header. */
  readonly headers: Readonly<Record<string, string>>;
  /** Secrets in the URL or on the command line. */
  readonly secrets: readonly string[];
};

/** Parts a target into what is needed to reach it and what a recording may say about it. */
export function describeTarget(
  target: TargetSpec,
  { headers }: { readonly headers: Readonly<Record<string, string>> },
): TargetDescription {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  if (target.transport === "stdio") {
    const secrets: string[] = [];
    const command = [
      target.command,
      ...target.args.map((arg, index) => hideArgument(arg, target.args[index - 1], secrets)),
    ];
    return { ok: true, place: { ...target, headers: {}, secrets }, shown: { command } };
  }
  const url = URL.parse(target.url);
  if (url === null || !/^https?:$/.test(url.protocol))
    return { ok: false, because: "The address is not an http or https URL." };
  const secrets: string[] = [];
  const login = basicCredentials(url);
  if (login !== undefined) {
    given["authorization"] ??= login;
    secrets.push(...[url.username, url.password].flatMap((part) => [part, decodePart(part)]), given["authorization"]);
  }
  url.username = "";
  url.password = "";
  url.hash = "";
  const shown = new URL(url);
  for (const [name, value] of url.searchParams)
    if (SECRET_NAME.test(name)) {
      secrets.push(value);
      shown.searchParams.set(name, HIDDEN_IN_RECORDING);
    }
  const shownUrl = shown.href.replaceAll(encodeURIComponent(HIDDEN_IN_RECORDING), HIDDEN_IN_RECORDING);
  return { ok: true, place: { transport: "http", url, headers: given, secrets }, shown: { url: shownUrl } };
}

/** A URL with a password, alone or as the value of an argument. A port is not a password. */
const URL_PASSWORD = /^((?:--?[\w-]+=|[A-Za-z_]\w*=)?[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*):(?!\d{1,5}(?:\/|$))(\S+)@/i;

/** An argument without what looks like a secret: `--token abc`, `--token=abc`, a URL with a password. */
function hideArgument(arg: string, before: string | undefined, secrets: string[]): string {
  if (before !== undefined && /^--?[\w-]+$/.test(before) && SECRET_NAME.test(before) && !arg.startsWith("-")) {
    secrets.push(arg);
    return HIDDEN_IN_RECORDING;
  }
  const [, name, value] = /^(--?[\w-]+|[A-Za-z_]\w*)=(.+)$/s.exec(arg) ?? [];
  if (name !== undefined && value !== undefined && SECRET_NAME.test(name)) {
    secrets.push(value);
    return `${name}=${HIDDEN_IN_RECORDING}`;
  }
  return arg.replace(URL_PASSWORD, (_, start: string, password: string) => {
    secrets.push(password, decodePart(password));
    return `${start}:${HIDDEN_IN_RECORDING}@`;
  });
}

/** Whether a header carries credentials, by its name. */
export function carriesCredentials(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** The values of headers or variables that are hidden. */
export function secretValues(named: Readonly<Record<string, string>> = {}): readonly string[] {
  return Object.entries(named).flatMap(([name, value]) => (isPublicName(name) ? [] : [value]));
}

/** Every form of the values that a server could repeat. */
export function repeatedSecretForms(values: Iterable<string>): readonly string[] {
  const forms = new Set<string>();
  // `Bearer abc` is repeated as `abc`, too.
  for (const value of values)
    for (const part of [value, ...value.split(/[\s=,;]+/)])
      if (part.length >= MIN_SECRET_LENGTH && !COMMON.test(part))
        for (const form of [...writtenForms(part), Buffer.from(part).toString("base64")]) forms.add(form);
  // The longest first: a secret may be part of another.
  return [...forms].sort((one, other) => other.length - one.length);
}

const COMMON = /^(?:bearer|basic|digest|true|false|production|development|localhost)$/i;

/** A copy of a value without secrets, in keys too. */
export function hideSecrets<T>(value: T, forms: readonly string[]): T {
  if (forms.length === 0) return value;
  return mapScalars(value, (scalar) => (typeof scalar === "string" ? hideIn(scalar, forms) : scalar));
}

function hideIn(text: string, forms: readonly string[]): string {
  let hidden = text;
  for (const form of forms) if (hidden.includes(form)) hidden = hidden.replaceAll(form, HIDDEN_IN_RECORDING);
  return withoutHalf(hidden, forms);
}

/** A long text is cut, perhaps within a secret. The scheme before a token, such as `Bearer`, is not secret: challenges name it. */
function withoutHalf(text: string, forms: readonly string[]): string {
  for (const form of forms)
    for (let length = form.length - 1; length >= MIN_SECRET_LENGTH; length -= 1) {
      const half = form.slice(0, length);
      if (text.endsWith(half) && !COMMON.test(half.trim())) return text.slice(0, -length) + HIDDEN_IN_RECORDING;
    }
  return text;
}
