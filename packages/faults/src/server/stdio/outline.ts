import { BACKSLASH, parseJson, QUOTE } from "@recourse/wire";

const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);

/** The most bytes of an outline. */
const MAX_OUTLINE_BYTES = 4_096;

/**
 * The outermost level of a JSON text that is too long to keep: nested values are dropped as the bytes pass, so that the id
 * of a message can be found wherever it stands.
 */
export class JsonOutline {
  readonly #kept: number[] = [];
  #depth = 0;
  #inString = false;
  #isEscaped = false;

  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      const isOpening = !this.#inString && OPENING.has(byte);
      if (!this.#inString && CLOSING.has(byte)) this.#depth -= 1;
      // The brackets of nested values stay, so that the rest is still JSON.
      if (this.#depth <= 1 && this.#kept.length <= MAX_OUTLINE_BYTES) this.#kept.push(byte);
      if (isOpening) this.#depth += 1;
      if (byte === QUOTE && !this.#isEscaped) this.#inString = !this.#inString;
      this.#isEscaped = this.#inString && byte === BACKSLASH && !this.#isEscaped;
    }
  }

  /** The outermost level as a value; undefined when the text is not JSON, or that level alone is too long. */
  read(): unknown {
    if (this.#kept.length > MAX_OUTLINE_BYTES) return undefined;
    return parseJson(new TextDecoder().decode(new Uint8Array(this.#kept)));
  }
}
