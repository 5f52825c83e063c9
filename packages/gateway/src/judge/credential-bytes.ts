import { CUT, credentialParts } from "@recourse/faults/internal-do-not-use";
import { BACKSLASH } from "../json/skip.ts";

/** One way to write a credential in JSON, and what stands there instead. */
interface Form {
  readonly bytes: Buffer;
  readonly instead: Buffer;
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly instead: Buffer;
}

/**
 * Cuts credentials out of JSON without reading it: the search of the platform costs about as much as a copy. It finds what
 * servers write by mistake, in the escapes that JSON writers use; what hides a credential on purpose cannot be found.
 */
export class CredentialBytes {
  readonly #forms: readonly Form[];

  constructor(values: readonly string[]) {
    const forms = new Map<string, Form>();
    for (const part of credentialParts(values)) {
      for (const written of waysToWrite(part)) {
        forms.set(written, { bytes: Buffer.from(written), instead: Buffer.from(insteadOf(written)) });
      }
    }
    // A longer one may contain a shorter one.
    this.#forms = [...forms.values()].sort((one, other) => other.bytes.length - one.bytes.length);
  }

  /** The same JSON without the credentials; undefined where there are none in it. */
  cut(json: Buffer): Buffer | undefined {
    const found: Found[] = [];
    for (const { bytes, instead } of this.#forms) {
      for (let at = json.indexOf(bytes); at !== -1; at = json.indexOf(bytes, at + bytes.length)) {
        if (!isInEscape(json, at)) found.push({ start: at, end: at + bytes.length, instead });
      }
    }
    return found.length === 0 ? undefined : without(json, found);
  }
}

function without(json: Buffer, found: Found[]): Buffer {
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
function insteadOf(written: string): string {
  return /^[-+.\deE]+$/.test(written) ? written.replaceAll(/\d/g, "9") : CUT;
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
