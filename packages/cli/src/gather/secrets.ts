import { entriesOf, isObject, MIN_SECRET_LENGTH } from "@recourse/faults/internal-do-not-use";

/** What stands for a secret in recordings. */
export const HIDDEN = "‹hidden›";

/** Whether a header carries credentials, by its name. */
export function isCredentialHeader(name: string): boolean {
  return /auth|cookie|token|secret|key|session|signature|credential/i.test(name);
}

/** Headers and variables whose values are no secrets: hiding `application/json` would spoil every text. */
const PUBLIC_NAMES =
  /^(?:accept|accept-language|content-type|user-agent|origin|mcp-protocol-version|node_env|log_level|lang|tz|port|host)$/i;

/** The values of headers or variables that are hidden. */
export function secretValues(named: Readonly<Record<string, string>> = {}): readonly string[] {
  return Object.entries(named).flatMap(([name, value]) => (PUBLIC_NAMES.test(name) ? [] : [value]));
}

/** Every form of the values that a server could repeat. */
export function secretForms(values: Iterable<string>): readonly string[] {
  const forms = new Set<string>();
  // `Bearer abc` is repeated as `abc`, too.
  for (const value of values)
    for (const part of [value, ...value.split(/[\s=,;]+/)])
      if (part.length >= MIN_SECRET_LENGTH && !COMMON.test(part))
        for (const form of [
          part,
          JSON.stringify(part).slice(1, -1),
          encodeURIComponent(part),
          btoa(unescapeToBytes(part)),
        ])
          forms.add(form);
  // The longest first: a secret may be part of another.
  return [...forms].sort((one, other) => other.length - one.length);
}

const COMMON = /^(?:bearer|basic|digest|true|false|production|development|localhost)$/i;

/** A copy of a value without secrets, in keys too. */
export function hideSecrets<T>(value: T, forms: readonly string[]): T {
  if (forms.length === 0) return value;
  const hide = (one: unknown): unknown => {
    if (typeof one === "string") return hideIn(one, forms);
    if (Array.isArray(one)) return one.map(hide);
    return isObject(one)
      ? Object.fromEntries(entriesOf(one).map(([key, member]) => [hideIn(key, forms), hide(member)]))
      : one;
  };
  return hide(value) as T;
}

function hideIn(text: string, forms: readonly string[]): string {
  let hidden = text;
  for (const form of forms) if (hidden.includes(form)) hidden = hidden.replaceAll(form, HIDDEN);
  return withoutHalf(hidden, forms);
}

/** A long text is cut, perhaps within a secret. The scheme before a token, such as `Bearer`, is not secret: challenges name it. */
function withoutHalf(text: string, forms: readonly string[]): string {
  for (const form of forms)
    for (let length = form.length - 1; length >= MIN_SECRET_LENGTH; length -= 1) {
      const half = form.slice(0, length);
      if (text.endsWith(half) && !COMMON.test(half.trim())) return text.slice(0, -length) + HIDDEN;
    }
  return text;
}

function unescapeToBytes(text: string): string {
  return Buffer.from(text).toString("latin1");
}
