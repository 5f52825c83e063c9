import { isObject, type JsonObject } from "../wire/json.ts";
import { type CutOptions, cutText, isMostlyCut, MAX_CUT_TEXT, TOO_LONG } from "./cut-text.ts";
import { CUT_MARK } from "./find-matches.ts";
import { readText } from "./line.ts";
import { containsSecret } from "./secrets.ts";
import { countRedaction } from "./show-line.ts";

/** A failed result without what its reader must not see. */
export interface CutResult {
  /** The result as it may be sent; undefined if so little is left of its texts that they say nothing. */
  readonly result: JsonObject | undefined;
  /** The first rule that something was cut for; undefined if nothing was. */
  readonly rule: string | undefined;
}

/** The most characters of one result that are looked at and shown. */
const MAX_RESULT_CHARACTERS = 65_536;
const MAX_RESULT_VALUES = 10_000;
const MAX_RESULT_DEPTH = 64;

const PLAIN_MEMBER_NAME = /^[\w.$/-]{1,60}$/;
/** A longer value is a text, which does not depend on its name. */
const MAX_PAIR = 1_024;

/**
 * Cuts what the rules find out of every text of a failed result: blocks, links, embedded resources, and the values of
 * structured content and `_meta` together with their names.
 */
export function cutResult(result: JsonObject, options: CutOptions): CutResult {
  const cutter = new ResultCutter(options);
  const { content, ...members } = result;
  const blocks = Array.isArray(content) ? cutter.blocks(content) : cutter.value("content", content, 0);
  const out = { ...(content !== undefined && { content: blocks }), ...cutter.members(members, 0) };
  return { result: cutter.isWithheld || isMostlyCut(cutter) ? undefined : out, rule: cutter.rule };
}

class ResultCutter {
  readonly #options: CutOptions;
  #characters = 0;
  #values = 0;
  /** The first rule that something was cut for. */
  rule: string | undefined;
  /** Words of the blocks of text, and how many of them are left. */
  words = 0;
  left = 0;
  /** Something was found that cannot be cut out. */
  isWithheld = false;

  constructor(options: CutOptions) {
    this.#options = options;
  }

  blocks(blocks: readonly unknown[]): unknown[] {
    const out = blocks.map((block) => {
      if (!isObject(block)) return this.value("content", block, 0);
      const { text, ...rest } = block;
      if (typeof text !== "string") return this.members(block, 0);
      const cut = this.#text(text, (outcome) => {
        this.words += outcome.words;
        this.left += outcome.left;
      });
      return { ...this.members(rest, 0), text: cut };
    });
    const texts = out.flatMap((block) => (isObject(block) && typeof block["text"] === "string" ? [block["text"]] : []));
    // Two blocks may say together what neither says alone. Where it begins and ends in each of them is not known.
    if (texts.length > 1 && cutText(texts.join("\n"), this.#options).rule !== undefined)
      this.#found("credential.joined", true);
    return out;
  }

  members(members: JsonObject, depth: number): JsonObject {
    const isMedia = members["type"] === "image" || members["type"] === "audio";
    const out: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(members)) {
      const isEncoded = typeof value === "string" && (name === "blob" || (isMedia && name === "data"));
      const key = PLAIN_MEMBER_NAME.test(name) ? name : this.#text(name);
      out[key] = isEncoded ? this.#encoded(value) : this.value(name, value, depth);
    }
    return out;
  }

  value(name: string, value: unknown, depth: number): unknown {
    this.#values += 1;
    if (this.#values > MAX_RESULT_VALUES || depth > MAX_RESULT_DEPTH) return this.#found(TOO_LONG);
    if (Array.isArray(value)) return value.map((item) => this.value(name, item, depth + 1));
    if (isObject(value)) return this.members(value, depth + 1);
    if (typeof value === "string")
      return this.#isSecretFor(name, value) ? this.#found("credential.member") : this.#text(value);
    return typeof value === "number" && this.#isSecretFor(name, String(value))
      ? this.#found("credential.member")
      : value;
  }

  /** Whether a value is a secret because of the name that stands before it. */
  #isSecretFor(name: string, value: string): boolean {
    if (value.length > MAX_PAIR || !PLAIN_MEMBER_NAME.test(name) || value.includes('"')) return false;
    const { allow, secrets } = this.#options;
    const { text, rule } = cutText(`"${name}": "${value}"`, { secrets, allow });
    return rule?.startsWith("credential.") === true && text === `"${name}": "${CUT_MARK}"`;
  }

  #text(text: string, count?: (outcome: ReturnType<typeof cutText>) => void): string {
    if (this.#characters >= MAX_RESULT_CHARACTERS) return this.#found(TOO_LONG);
    this.#characters += Math.min(text.length, MAX_CUT_TEXT);
    const outcome = cutText(text, this.#options);
    count?.(outcome);
    if (outcome.rule !== undefined) this.#found(outcome.rule);
    return outcome.text;
  }

  /** Data that is text is cut like text. Of any other data only registered secrets are known. */
  #encoded(data: string): string {
    const text = textInBase64(data);
    if (text === undefined) {
      if (containsSecret(data, this.#options.secrets)) this.#found("secret", true);
      return data;
    }
    const cut = this.#text(text);
    return cut === text ? data : btoa(String.fromCharCode(...new TextEncoder().encode(cut)));
  }

  #found(rule: string, isWhole = false): string {
    countRedaction(rule);
    this.rule ??= rule;
    this.isWithheld ||= isWhole;
    return CUT_MARK;
  }
}

/** The text that was encoded in base64; undefined for other data. */
function textInBase64(encoded: string): string | undefined {
  try {
    return readText(Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
