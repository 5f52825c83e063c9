import { isObject, type JsonObject } from "@recourse/wire";
import { type FilterOptions, ruleAgainstText } from "./filter-line.ts";
import { FILTER_WINDOW, readText } from "./line.ts";
import { findPattern } from "./pattern-filter.ts";
import { AUTHORED_RULES } from "./rules/authored.ts";
import { firstRuleIn, RULE_GROUPS, type RuleGroup } from "./rules/rule.ts";
import { containsSecret } from "./secrets.ts";

/** A text in a tool result that may not be shown, and the rule that forbids it. */
export interface ForbiddenText {
  readonly text: string;
  readonly rule: string;
}

/** Longer results cannot be checked in reasonable time, and results with a failure are short. */
const MAX_RESULT_CHARACTERS = 262_144;
const MAX_RESULT_VALUES = 10_000;
const MAX_RESULT_DEPTH = 64;
/** Windows overlap, so that nothing is cut in two unseen. */
const WINDOW_OVERLAP = 1024;
/** Stands for the rule if a result is too long or too deep to be checked. */
export const TOO_LONG = "filter.too-long";

/**
 * What a display overwrites, or does not show, and a model reads. A quotation loses it when it becomes a line; a returned text
 * is sent as it is.
 */
const HIDDEN_CHARACTERS = /\r(?!\n)|[\u2028\u2029\u{e0000}-\u{e01ef}]|\p{Default_Ignorable_Code_Point}{3,}/u;
/** Names that say nothing by themselves. */
const PLAIN_MEMBER_NAME = /^[\w.$/-]{1,60}$/;
/** Structured data names things by ids, and the author chose its members. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SECRET_MEMBER_NAME = /pass|pwd|secret|token|key|auth|session|sid|cred|sign|cookie/i;
const ALL_BUT_CREDENTIALS: readonly RuleGroup[] = RULE_GROUPS.filter((group) => group !== "credential");

/**
 * The first text in a tool result that may not be shown. All of it is looked at: text blocks, embedded resources, links, and
 * the values of structured content together with their names. Data of images and sounds is searched for secrets only.
 */
export function findInResult(result: JsonObject, options: FilterOptions): ForbiddenText | undefined {
  const search = new ResultSearch(options);
  const { content, _meta: meta, ...members } = result;
  const blocks = Array.isArray(content) ? content : [content];
  return search.inBlocks(blocks) ?? search.inMembers(members) ?? (isObject(meta) ? search.inMeta(meta) : undefined);
}

class ResultSearch {
  readonly #options: FilterOptions;
  readonly #forPairs: FilterOptions;
  #characters = 0;
  #values = 0;

  constructor(options: FilterOptions) {
    const { allow = [] } = options;
    this.#options = options;
    this.#forPairs = { ...options, allow: [...allow, ...ALL_BUT_CREDENTIALS] };
  }

  inBlocks(blocks: readonly unknown[]): ForbiddenText | undefined {
    const texts: string[] = [];
    for (const block of blocks) {
      const { text, ...rest } = isObject(block) ? block : { text: undefined, value: block };
      if (typeof text === "string") texts.push(text);
      const found = (typeof text === "string" ? this.#inText(text) : undefined) ?? this.inMembers(rest);
      if (found !== undefined) return found;
    }
    // Two blocks may say together what neither says alone.
    return texts.length > 1 ? this.#inText(texts.join("\n")) : undefined;
  }

  inMembers(members: JsonObject, depth = 0): ForbiddenText | undefined {
    const isMedia = members["type"] === "image" || members["type"] === "audio";
    for (const [name, value] of Object.entries(members)) {
      const isEncoded = name === "blob" || (isMedia && name === "data");
      const found = isEncoded && typeof value === "string" ? this.#inBase64(value) : this.#inMember(name, value, depth);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** What stands in `_meta` is for programs: it has ids and traces, which the rules for sentences would take for secrets. */
  inMeta(meta: JsonObject): ForbiddenText | undefined {
    const text = JSON.stringify(meta);
    const rule = this.#counted(text) ?? findInWindows(text, (part) => this.#ruleForData(part));
    return rule === undefined ? undefined : { text, rule };
  }

  #inMember(name: string, value: unknown, depth: number): ForbiddenText | undefined {
    if (++this.#values > MAX_RESULT_VALUES || depth > MAX_RESULT_DEPTH) return { text: name, rule: TOO_LONG };
    const named = PLAIN_MEMBER_NAME.test(name) ? undefined : this.#inText(name);
    if (named !== undefined) return named;
    if (Array.isArray(value)) {
      for (const item of value) {
        const found = this.#inMember(name, item, depth + 1);
        if (found !== undefined) return found;
      }
      return undefined;
    }
    if (isObject(value)) return this.inMembers(value, depth + 1);
    if (typeof value !== "string" && typeof value !== "number") return undefined;
    const text = String(value);
    if (UUID.test(text) && !SECRET_MEMBER_NAME.test(name) && !containsSecret(text, this.#options.secrets))
      return undefined;
    const pair = `"${name}": "${text}"`;
    const rule = pair.length > FILTER_WINDOW ? undefined : ruleAgainstText(pair, findPattern, this.#forPairs);
    if (rule !== undefined) return { text: pair, rule };
    return typeof value === "string" ? this.#inText(text) : undefined;
  }

  #inText(text: string): ForbiddenText | undefined {
    const rule =
      this.#counted(text) ??
      (HIDDEN_CHARACTERS.test(text) ? "hostile.hidden" : undefined) ??
      findInWindows(text, (part) => ruleAgainstText(part, findPattern, this.#options));
    return rule === undefined ? undefined : { text, rule };
  }

  #inBase64(encoded: string): ForbiddenText | undefined {
    const text = textInBase64(encoded);
    if (text !== undefined) return this.#inText(text);
    const rule = this.#counted(encoded) ?? findInWindows(encoded, (part) => this.#ruleForData(part));
    return rule === "secret" || rule === TOO_LONG ? { text: "(data)", rule } : undefined;
  }

  #ruleForData(text: string): string | undefined {
    return ruleAgainstText(text, (part) => firstRuleIn(AUTHORED_RULES, part, this.#options.allow), this.#options);
  }

  #counted(text: string): string | undefined {
    this.#characters += text.length;
    return this.#characters > MAX_RESULT_CHARACTERS ? TOO_LONG : undefined;
  }
}

/** The first rule that matches one of the windows of a text. */
function findInWindows(text: string, find: (part: string) => string | undefined): string | undefined {
  for (let start = 0; start === 0 || start + WINDOW_OVERLAP < text.length; start += FILTER_WINDOW - WINDOW_OVERLAP) {
    const rule = find(text.slice(start, start + FILTER_WINDOW));
    if (rule !== undefined) return rule;
  }
  return undefined;
}

/** The text that was encoded; undefined for other data. */
function textInBase64(encoded: string): string | undefined {
  try {
    return readText(Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
