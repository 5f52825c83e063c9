import type { Target } from "../recording/recording.ts";
import type { TargetSpec } from "../wire/target.ts";
import { HIDDEN } from "./secrets.ts";

/** Where a target is, and what of it may be shown. */
export type DescribedTarget =
  | { readonly ok: true; readonly place: Place; readonly shown: Pick<Target, "url" | "command"> }
  | { readonly ok: false; readonly because: string };

interface Place {
  /** Without user and password. Undefined for a program. */
  readonly url: URL | undefined;
  /** Names in lower case; user and password of the URL become a header. */
  readonly headers: Readonly<Record<string, string>>;
  /** Secrets in the URL or on the command line. */
  readonly secrets: readonly string[];
}

const SECRET_NAME = /token|secret|key|pass|pwd|auth|credential|signature|session/i;

/** Parts a target into what is needed to reach it and what a recording may say about it. */
export function describeTarget(
  target: TargetSpec,
  { headers }: { readonly headers: Readonly<Record<string, string>> },
): DescribedTarget {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  if (target.transport === "stdio") {
    const secrets: string[] = [];
    const command = [
      target.command,
      ...target.args.map((arg, index) => hideArgument(arg, target.args[index - 1], secrets)),
    ];
    return { ok: true, place: { url: undefined, headers: {}, secrets }, shown: { command } };
  }
  const url = URL.parse(target.url);
  if (url === null || !/^https?:$/.test(url.protocol))
    return { ok: false, because: "The address is not an http or https URL." };
  const secrets: string[] = [];
  const login =
    url.username === "" && url.password === "" ? undefined : `${decoded(url.username)}:${decoded(url.password)}`;
  if (login !== undefined) {
    given["authorization"] ??= `Basic ${Buffer.from(login).toString("base64")}`;
    secrets.push(url.username, decoded(url.username), url.password, decoded(url.password), given["authorization"]);
  }
  url.username = "";
  url.password = "";
  url.hash = "";
  const shown = new URL(url);
  for (const [name, value] of url.searchParams)
    if (SECRET_NAME.test(name)) {
      secrets.push(value);
      shown.searchParams.set(name, "hidden");
    }
  return { ok: true, place: { url, headers: given, secrets }, shown: { url: shown.href } };
}

/** A URL with a password, alone or as the value of an argument. A port is not a password. */
const URL_PASSWORD = /^((?:--?[\w-]+=|[A-Za-z_]\w*=)?[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*):(?!\d{1,5}(?:\/|$))(\S+)@/i;

/** An argument without what looks like a secret: `--token abc`, `--token=abc`, a URL with a password. */
function hideArgument(arg: string, before: string | undefined, secrets: string[]): string {
  if (before !== undefined && /^--?[\w-]+$/.test(before) && SECRET_NAME.test(before) && !arg.startsWith("-")) {
    secrets.push(arg);
    return HIDDEN;
  }
  const [, name, value] = /^(--?[\w-]+|[A-Za-z_]\w*)=(.+)$/s.exec(arg) ?? [];
  if (name !== undefined && value !== undefined && SECRET_NAME.test(name)) {
    secrets.push(value);
    return `${name}=${HIDDEN}`;
  }
  return arg.replace(URL_PASSWORD, (_, start: string, password: string) => {
    secrets.push(password, decoded(password));
    return `${start}:${HIDDEN}@`;
  });
}

/** A part of a URL without percent escapes, as it is if they are wrong. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
