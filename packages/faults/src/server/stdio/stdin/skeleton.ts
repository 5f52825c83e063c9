import { parseJson } from "../../../dialects/wire.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);

/** The most bytes of a message's outermost level that are kept. */
const MOST = 4_096;

/**
 * The outermost level of a JSON text that is too long to be kept: whatever is nested is left out as the bytes go by, so
 * that the id of a message can be told wherever it stands.
 */
export class Skeleton {
  readonly #kept: number[] = [];
  #depth = 0;
  #isText = false;
  #isEscaped = false;

  /** Takes the next bytes of the text. */
  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      const isOpening = !this.#isText && OPENING.has(byte);
      if (!this.#isText && CLOSING.has(byte)) this.#depth -= 1;
      // The brackets of what is nested stay, so that the rest is still JSON.
      if (this.#depth <= 1 && this.#kept.length <= MOST) this.#kept.push(byte);
      if (isOpening) this.#depth += 1;
      if (byte === QUOTE && !this.#isEscaped) this.#isText = !this.#isText;
      this.#isEscaped = this.#isText && byte === BACKSLASH && !this.#isEscaped;
    }
  }

  /** The outermost level as a value, or undefined when the text is no JSON or that level alone is too long. */
  read(): unknown {
    if (this.#kept.length > MOST) return undefined;
    return parseJson(new TextDecoder().decode(new Uint8Array(this.#kept)));
  }
}
