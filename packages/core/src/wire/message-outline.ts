import { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE, SPACE } from "./bytes.ts";

/** Longer names and values are not those of an id or a method. */
const MAX_KEPT_BYTES = 256;
/** A message has four members, each with a name and a value. One with many more is not read on: each costs time. */
const MAX_READS = 128;

/**
 * Reads method and id of a JSON-RPC message while its bytes go by, so that a call that is too large to be kept can still be
 * answered. It keeps no more than a few hundred bytes.
 */
export class MessageOutline {
  #depth = 0;
  #isEnded = false;
  /** It is certain that this is not one message, so the rest is not looked at. */
  #isLost = false;
  #isInText = false;
  #isEscaped = false;
  #reads = 0;
  #kept: number[] = [];
  #key: unknown;
  readonly #found = new Map<unknown, unknown[]>();

  /** Takes the next bytes of the message. */
  take(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length && !this.#isLost) {
      if (this.#depth > 1) {
        at = this.#skipInner(bytes, at);
      } else {
        this.#takeByte(bytes[at] as number);
        at += 1;
      }
    }
  }

  /** The id of the message, if it is whole; undefined if it has none, or the id is not certain. */
  get id(): string | number | undefined {
    const id = this.#only("id");
    return typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id)) ? id : undefined;
  }

  /** The id of the message, if it is a whole request; undefined for an answer, and if the id is not certain. */
  get requestId(): string | number | undefined {
    return typeof this.#only("method") === "string" ? this.id : undefined;
  }

  /** The id of the message, if it is a whole call of a tool; undefined for any other, and if the id is not certain. */
  get callId(): string | number | undefined {
    return this.#only("method") === "tools/call" ? this.id : undefined;
  }

  /** The value of a member that the whole message has once. */
  #only(name: string): unknown {
    const [value, ...others] = this.#found.get(name) ?? [];
    return this.#isEnded && !this.#isLost && others.length === 0 ? value : undefined;
  }

  /** Goes to the end of a value within the message, or of the bytes. Nearly all bytes of a large message pass here. */
  #skipInner(bytes: Uint8Array, from: number): number {
    let at = from;
    let depth = this.#depth;
    let isInText = this.#isInText;
    let isEscaped = this.#isEscaped;
    while (at < bytes.length && depth > 1) {
      const byte = bytes[at];
      at += 1;
      if (isInText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInText = false;
      } else if (byte === QUOTE) isInText = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
    }
    this.#depth = depth;
    this.#isInText = isInText;
    this.#isEscaped = isEscaped;
    return at;
  }

  /** A byte of the message itself, or around it. */
  #takeByte(byte: number): void {
    if (this.#depth === 0) {
      if (byte === OPEN_OBJECT && !this.#isEnded) this.#depth = 1;
      else if (byte > SPACE) this.#isLost = true;
    } else if (this.#isInText) {
      this.#keep(byte);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isInText = false;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      this.#endMember();
      this.#isEnded = true;
      this.#depth = 0;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#depth = 2;
    else if (byte === COLON) this.#key = this.#read();
    else if (byte === COMMA) this.#endMember();
    else {
      if (byte === QUOTE) this.#isInText = true;
      if (byte > SPACE) this.#keep(byte);
    }
  }

  #endMember(): void {
    const value = this.#read();
    if (this.#key === "id" || this.#key === "method") {
      this.#found.set(this.#key, [...(this.#found.get(this.#key) ?? []), value]);
    }
    this.#key = undefined;
  }

  #keep(byte: number): void {
    if (this.#kept.length <= MAX_KEPT_BYTES) this.#kept.push(byte);
  }

  /** What was kept, as JSON; undefined if it is not JSON, or was too long. */
  #read(): unknown {
    this.#reads += 1;
    if (this.#reads > MAX_READS) this.#isLost = true;
    const bytes = Uint8Array.from(this.#kept);
    this.#kept = [];
    try {
      return bytes.length > MAX_KEPT_BYTES ? undefined : JSON.parse(new TextDecoder().decode(bytes));
    } catch {
      return undefined;
    }
  }
}
