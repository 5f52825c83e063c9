import type { SecretFilter } from "@recourse/core";
import { credentialFilter, credentialParts } from "@recourse/core/proxy";
import { CUT_MARK, joinSecretFilters } from "@recourse/core/safety";
import { BACKSLASH } from "@recourse/core/wire";
import { callerCredentials, callerSecrets, type RequestHead } from "../call/head.ts";
import type { Observer } from "../call/observer.ts";
import type { UpstreamCredential, UpstreamOptions } from "../config/types.ts";

/** One way to write a credential in JSON, and what stands there instead. */
interface CredentialForm {
  readonly bytes: Buffer;
  readonly instead: Buffer;
}

interface CredentialMatch {
  readonly start: number;
  readonly end: number;
  readonly instead: Buffer;
}

/**
 * Cuts credentials out of JSON without reading it: the search of the platform costs about as much as a copy. It finds what
 * servers write by mistake, in the escapes that JSON writers use; what hides a credential on purpose cannot be found.
 */
export class CredentialBytes {
  readonly #forms: readonly CredentialForm[];

  constructor(values: readonly string[]) {
    const forms = new Map<string, CredentialForm>();
    for (const part of credentialParts(values)) {
      for (const written of waysToWrite(part)) {
        forms.set(written, { bytes: Buffer.from(written), instead: Buffer.from(replacement(written)) });
      }
    }
    // A longer one may contain a shorter one.
    this.#forms = [...forms.values()].sort((one, other) => other.bytes.length - one.bytes.length);
  }

  /** The same JSON without the credentials; undefined if it has none. */
  cut(json: Buffer): Buffer | undefined {
    const found: CredentialMatch[] = [];
    for (const { bytes, instead } of this.#forms) {
      for (let at = json.indexOf(bytes); at !== -1; at = json.indexOf(bytes, at + bytes.length)) {
        if (!isInEscape(json, at)) found.push({ start: at, end: at + bytes.length, instead });
      }
    }
    return found.length === 0 ? undefined : withoutMatches(json, found);
  }
}

function withoutMatches(json: Buffer, found: CredentialMatch[]): Buffer {
  // Of two at the same place the longer one stands first, since the sort keeps their order.
  found.sort((one, other) => one.start - other.start);
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { start, end, instead } of found) {
    if (start < from) continue;
    pieces.push(json.subarray(from, start), instead);
    from = end;
  }
  return Buffer.concat([...pieces, json.subarray(from)]);
}

/** The text in a string of JSON: as JavaScript, PHP, Go and .NET write it. */
function waysToWrite(text: string): ReadonlySet<string> {
  const plain = JSON.stringify(text).slice(1, -1);
  const lower = (of: string) => `\\u${of.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const upper = (of: string) => `\\u${of.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
  return new Set([
    plain,
    plain.replaceAll("/", "\\/"),
    plain.replaceAll(/[<>&]/g, lower),
    plain.replaceAll(/[<>&'+`\u0080-\uffff]/g, upper),
    plain.replaceAll(/[\u0080-\uffff]/g, lower),
  ]);
}

/** A credential of digits may stand in a number, which has to stay one. */
function replacement(written: string): string {
  return /^[-+.\deE]+$/.test(written) ? written.replaceAll(/\d/g, "9") : CUT_MARK;
}

/** The longest escape is `\u` with four digits. */
const MAX_ESCAPE = 6;
const LETTER_U = 0x75;

/** Whether a position is inside of an escape, so that what begins there is no text. */
function isInEscape(json: Buffer, at: number): boolean {
  for (let back = 1; back < MAX_ESCAPE; back++) {
    const start = at - back;
    if (json[start] !== BACKSLASH) continue;
    let run = 1;
    while (json[start - run] === BACKSLASH) run += 1;
    return run % 2 === 1 && (back === 1 || json[start + 1] === LETTER_U);
  }
  return false;
}

const upstreamFilters = new WeakMap<UpstreamOptions, { readonly filter: SecretFilter | undefined }>();

/** Finds the credentials that an upstream was shown, and those that the caller showed to the gateway. */
export function callSecrets(
  upstream: UpstreamOptions,
  head: RequestHead,
  shownTokens: readonly string[] = NO_TOKENS,
): SecretFilter | undefined {
  const known = joinSecretFilters(upstreamSecrets(upstream), callerSecrets(head));
  return joinSecretFilters(known, credentialFilter(shownTokens));
}

const NO_TOKENS: readonly string[] = [];

function upstreamSecrets(upstream: UpstreamOptions): SecretFilter | undefined {
  const found = upstreamFilters.get(upstream) ?? { filter: credentialFilter(credentialValues(upstream.credential)) };
  upstreamFilters.set(upstream, found);
  return found.filter;
}

/** What of a credential is secret. */
function credentialValues(credential: UpstreamCredential): readonly string[] {
  switch (credential.kind) {
    case "none":
      return [];
    case "clientCredentials":
    case "exchange":
      return [credential.clientSecret];
    case "bearer":
      return [credential.token];
    case "header":
      return [credential.value];
    default:
      return credential satisfies never;
  }
}

/** What the cutter needs. */
interface CredentialCutterOptions {
  readonly observer: Pick<Observer, "log">;
  /** Monotonic clock, in ms. */
  readonly now: () => number;
}

/** The operator gets one report in this time for each upstream. */
const WARN_MS = 60_000;

interface KnownCredentials {
  /** Undefined if the upstream is shown no credential. */
  readonly bytes: CredentialBytes | undefined;
  warnedMs: number;
}

/** Takes the gateway's credential for an upstream out of what the upstream sends to callers. */
export class CredentialCutter {
  readonly #options: CredentialCutterOptions;
  readonly #known = new WeakMap<UpstreamOptions, KnownCredentials>();

  constructor(options: CredentialCutterOptions) {
    this.#options = options;
  }

  /** A success without the credential, and without the tokens of this call. It was served, so nothing else of it changes. */
  cutAnswer(body: Buffer, upstream: UpstreamOptions, shownTokens: readonly string[] = NO_TOKENS): Buffer {
    return this.#cut(body, upstream, shownTokens) ?? body;
  }

  /** A notification without these credentials and without those of the caller. */
  cutNotification(
    message: Buffer,
    upstream: UpstreamOptions,
    head: RequestHead,
    shownTokens: readonly string[] = NO_TOKENS,
  ): Buffer {
    const own = this.#cut(message, upstream, shownTokens) ?? message;
    return new CredentialBytes(callerCredentials(head)).cut(own) ?? own;
  }

  #cut(json: Buffer, upstream: UpstreamOptions, shownTokens: readonly string[]): Buffer | undefined {
    const known = this.#knownOf(upstream);
    const own = known.bytes?.cut(json);
    const cut = shownTokens.length === 0 ? own : (new CredentialBytes(shownTokens).cut(own ?? json) ?? own);
    if (cut !== undefined) this.#warn(known, upstream);
    return cut;
  }

  #knownOf(upstream: UpstreamOptions): KnownCredentials {
    const before = this.#known.get(upstream);
    if (before !== undefined) return before;
    const values = credentialValues(upstream.credential);
    const bytes = values.length === 0 ? undefined : new CredentialBytes(values);
    const known = { bytes, warnedMs: Number.NEGATIVE_INFINITY };
    this.#known.set(upstream, known);
    return known;
  }

  #warn(known: KnownCredentials, { name }: UpstreamOptions): void {
    const { observer, now } = this.#options;
    const nowMs = now();
    if (nowMs - known.warnedMs < WARN_MS) return;
    known.warnedMs = nowMs;
    const message = "An upstream sent the gateway's credential back. It was removed; the upstream should be corrected.";
    observer.log("warn", message, { upstream: name });
  }
}
