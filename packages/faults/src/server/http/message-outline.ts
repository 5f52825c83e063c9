const [QUOTE, BACKSLASH, COLON, COMMA, SPACE] = [0x22, 0x5c, 0x3a, 0x2c, 0x20];
const OPEN: readonly number[] = [0x7b, 0x5b];
const CLOSE: readonly number[] = [0x7d, 0x5d];
/** Longer names and values are not those of an id or a method. */
const MAX_KEPT = 256;

/**
 * Reads method and id of a JSON-RPC message while its bytes go by, so that a call that is too large to be kept can still be
 * answered. It keeps no more than a few hundred bytes.
 */
export class MessageOutline {
  #depth = 0;
  #isEnded = false;
  #isInText = false;
  #isEscaped = false;
  #kept: number[] = [];
  #key: unknown;
  readonly #found = new Map<unknown, unknown[]>();

  /** Takes the next bytes of the message. */
  take(bytes: Uint8Array): void {
    for (const byte of bytes) this.#takeByte(byte);
  }

  /** The id of the message, if it is a whole call of a tool; undefined for any other, and where the id is not certain. */
  get callId(): string | number | undefined {
    const [id, ...otherIds] = this.#found.get("id") ?? [];
    const [method, ...otherMethods] = this.#found.get("method") ?? [];
    const isSure = this.#isEnded && otherIds.length === 0 && otherMethods.length === 0;
    if (!isSure || method !== "tools/call") return undefined;
    return typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id)) ? id : undefined;
  }

  #takeByte(byte: number): void {
    if (this.#isInText) {
      this.#keep(byte);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isInText = false;
      return;
    }
    if (CLOSE.includes(byte)) this.#close();
    else if (OPEN.includes(byte)) this.#depth += 1;
    else if (this.#depth === 1 && byte === COLON) this.#key = this.#read();
    else if (this.#depth === 1 && byte === COMMA) this.#endMember();
    else {
      if (byte === QUOTE) this.#isInText = true;
      if (byte > SPACE) this.#keep(byte);
    }
  }

  #close(): void {
    if (this.#depth === 1) {
      this.#endMember();
      this.#isEnded = true;
    }
    this.#depth -= 1;
  }

  #endMember(): void {
    const value = this.#read();
    if (this.#key === "id" || this.#key === "method") {
      this.#found.set(this.#key, [...(this.#found.get(this.#key) ?? []), value]);
    }
    this.#key = undefined;
  }

  #keep(byte: number): void {
    if (this.#depth === 1 && this.#kept.length <= MAX_KEPT) this.#kept.push(byte);
  }

  /** What was kept, as JSON; undefined where it is none, or was too long. */
  #read(): unknown {
    const bytes = Uint8Array.from(this.#kept);
    this.#kept = [];
    try {
      return bytes.length > MAX_KEPT ? undefined : JSON.parse(new TextDecoder().decode(bytes));
    } catch {
      return undefined;
    }
  }
}
