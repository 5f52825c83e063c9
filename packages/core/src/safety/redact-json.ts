import { isObject, type JsonObject, parseJson } from "../wire/json.ts";
import { containsSecret, type SecretFilter } from "./secrets.ts";
import { countRedaction } from "./show-line.ts";

/** Deeper values are dropped. */
const MAX_JSON_DEPTH = 64;

/** JSON data without secrets. */
export interface RedactedJson {
  /** The copy. */
  readonly value: unknown;
  /** Whether anything was removed. */
  readonly changed: boolean;
}

/**
 * A copy of JSON data without secrets. A string or number that contains a secret becomes null. A member whose name
 * contains one is dropped.
 */
export function redactJson(value: unknown, secrets?: SecretFilter): RedactedJson {
  let changed = false;

  function isSecret(text: string): boolean {
    if (!containsSecret(text, secrets)) return false;
    changed = true;
    countRedaction("secret");
    return true;
  }

  function copy(from: unknown, depth: number): unknown {
    if (typeof from === "string" || typeof from === "number") return isSecret(String(from)) ? null : from;
    if (typeof from !== "object" || from === null) return from;
    if (depth === MAX_JSON_DEPTH) {
      changed = true;
      return null;
    }
    if (Array.isArray(from)) return from.map((item) => copy(item, depth + 1));
    const members = Object.entries(from).filter(([key]) => !isSecret(key));
    return Object.fromEntries(members.map(([key, member]) => [key, copy(member, depth + 1)]));
  }

  return { value: copy(value, 0), changed };
}

/** Longer bodies are not relayed. */
const MAX_BODY_LENGTH = 262_144;

/** The body of an HTTP answer that may be passed on. */
export interface RelayedBody {
  /** The body itself. */
  readonly text: string;
  /** The parsed body, if it is a JSON object. */
  readonly object: JsonObject | undefined;
}

/**
 * The body of an HTTP answer without secrets. Undefined if it may not be passed on: it is too long, or it is not JSON and
 * contains a secret.
 */
export function relayBody(body: string, secrets?: SecretFilter): RelayedBody | undefined {
  if (body.length > MAX_BODY_LENGTH) return undefined;
  const parsed = parseJson(body, MAX_BODY_LENGTH);
  const { value, changed } = redactJson(parsed, secrets);
  // Of two members with the same name the parser keeps one, so a secret behind escapes may be left in the other.
  const isHidden = parsed !== undefined && body.includes("\\u") && containsSecret(withoutUnicodeEscapes(body), secrets);
  const text = changed || isHidden ? JSON.stringify(value) : body;
  if (!containsSecret(text, secrets)) {
    return { text, object: isObject(value) ? value : undefined };
  }
  countRedaction("secret");
  return undefined;
}

function withoutUnicodeEscapes(json: string): string {
  return json.replaceAll(/\\u([0-9a-f]{4})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}
