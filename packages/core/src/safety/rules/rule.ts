// What a rule is, and forms that several rules look for.

/** The groups of rules. You can allow a group that is the subject of your server. */
export const RULE_GROUPS = [
  "credential",
  "database",
  "hostile",
  "host",
  "path",
  "personal",
  "provider",
  "url",
] as const;
/** One group of rules. */
export type RuleGroup = (typeof RULE_GROUPS)[number];

/**
 * How far a cut goes.
 * - `match`: what the pattern, or its group, finds.
 * - `token`: to both ends of the run without white space, quotes, brackets, commas, `&` and `;`.
 * - `value`: to the closing quotation mark, else to the end of the token.
 * - `header`: to the closing quotation mark, else to the end of the line.
 * - `statement`: to the next `;`, quotation mark of the whole, or the end of the line.
 * - `block`: to the end of a key block, else to the end of the text.
 * - `number`: the words with digits in the match.
 * - `name`: the match, and the capitalised words after it.
 */
type CutExtent = "match" | "token" | "value" | "header" | "statement" | "block" | "number" | "name";

interface Cut {
  readonly to: CutExtent;
  /** The groups of the pattern that hold what is cut; the first that has matched. @default the whole match */
  readonly groups?: readonly number[];
  /** A shape without a label: an argument of the call may look like this, and repeating it tells its caller nothing. */
  readonly isShape?: true;
}

/** A pattern whose matches are cut out of a text. */
export interface PatternRule {
  /** The group of the rule and its name. */
  readonly id: `${RuleGroup}.${string}`;
  /** What is cut for a match. */
  readonly cut: Cut;
  /** What it finds. */
  readonly find: RegExp;
  /** Decides on one match if the pattern alone is not enough. */
  readonly confirm?: (match: RegExpExecArray) => boolean;
}

/** A rule as the cutter applies it. Its pattern is global. */
export interface CutRule extends PatternRule {
  /** The group, which an option of the author can allow. */
  readonly group: RuleGroup;
  /** Whether a text that the caller sent is excused: what it knows may be repeated. */
  readonly isExcusable: boolean;
}

const NEVER_EXCUSED: readonly RuleGroup[] = ["credential", "hostile"];

export function toCutRule(rule: PatternRule): CutRule {
  const group = rule.id.slice(0, rule.id.indexOf(".")) as RuleGroup;
  const isExcusable = rule.cut.isShape === true || !NEVER_EXCUSED.includes(group);
  const find = rule.find.global ? rule.find : new RegExp(rule.find, `${rule.find.flags}g`);
  return { ...rule, find, group, isExcusable };
}

/**
 * A pattern that is made when it is first needed. The engine reads each literal twice before any of its code runs, and
 * classes of characters such as `\p{L}` take it long.
 */
export function latePattern(source: string, flags?: string): () => RegExp {
  let pattern: RegExp | undefined;
  return () => {
    pattern ??= new RegExp(source, flags);
    return pattern;
  };
}

export const KEY_BLOCK =
  /-----BEGIN |PuTTY-User-Key|\bssh-(?:rsa|dss|ed25519) AAAA|AGE-SECRET-KEY-|\b(?:MIIE|MIIC|MIIJ|b3BlbnNzaC1)[A-Za-z0-9+/]{8}/;

/** How tokens of providers begin. Nothing else begins so, if enough random characters follow. */
export const TOKEN_PREFIXES =
  "(?:sk|pk|rk|ak|rzp)[-_](?:live|test|prod|proj|ant|or|svcacct|lf)[-_]|gh[oprsu]_|github_pat_|gl(?:pat|dt|ptt|rt|cbt|soat|ft|imt|agent|sa)[-_]|xox[abcdeoprs]-|xapp-|npm_|pypi-|do[opr]_v1_|shp(?:at|ca|pa|ss)_|hv[sbr]\\.|ya29\\.|AIza|A[KS]IA|LTAI|AKID|whsec_|tskey-|lin_(?:api|oauth)_|ntn_|figd_|hf_|r8_|gsk_|xai-|pplx-|ATATT|ATBB|ATCTT|PMAK-|NR(?:AK|JS|AA|II)-|sntry[su]_|ph[cx]_|sb[ps]_|pscale_|sq0[a-z]{3}-|rdme_|rubygems_|bkua_|fo1_|nvapi-|ctx7sk|tvly-|glc_|atlasv1\\.|GOCSPX-|x(?:key|smtp)sib-|dp\\.[cps]t\\.(?:[a-z]{3}\\.)?|dt0[a-z]\\d\\d\\.|HRKU-|CCIPAT_|lsv2_[a-z]{2}_|pcsk_|fm2_|AQVN|ops_eyJ|FLWSECK|mlsn\\.|EZ[AT]K|tgp_v1_|IGQV|dG9rOj|CLOJARS_|AKCp|pnu_|(?:duffel|shippo)_(?:live|test)_|vercel_blob_rw_|pat-(?:na|eu|ap)\\d-|access-(?:production|sandbox|development)-";

export const CHAT_TOKEN = "<\\|[\\w ]{1,40}\\|?>|<(?:start|end)_of_turn>|\\[\\/?INST\\]|<<\\/?SYS>>";

/** Places where providers let anyone post who knows the address. */
export const WEBHOOK =
  "\\bhooks\\.(?:slack|zapier)\\.com\\/\\w|\\bdiscord(?:app)?\\.com\\/api\\/webhooks|\\bapi\\.telegram\\.org\\/bot";

/** Placeholders in instructions: `<token>`, `${TOKEN}`, `FOO_API_KEY`, `your-key`, `...`. */
const PLACEHOLDER =
  /^(?:[<[{(%$].*|\.{2}.*|…|\*+|[A-Z]+(?:_[A-Z0-9]+)+|API|KEY|TOKEN|SECRET|PASSWORD|VALUE|HEX|JWT|JSON|STRING|NULL|NONE)$/;
const PLACEHOLDER_WORD =
  /^(?:your[-_ ].*|my[-_].*|x{3,}|n\/a|\[?redacted\]?|masked|hidden|example|placeholder|value|string|text|here)$/i;

/** Tells whether a value is a placeholder, as in documentation. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || PLACEHOLDER_WORD.test(value);
}
