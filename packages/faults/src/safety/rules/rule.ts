// Forms that both the full filter and the short list for authored values look for.

import { withoutOwnIds } from "../own-ids.ts";

/** The groups of rules. You can allow a group that is the subject of your server. */
export const RULE_GROUPS = [
  "code",
  "credential",
  "database",
  "hostile",
  "host",
  "id",
  "markup",
  "path",
  "personal",
  "provider",
  "system",
  "url",
] as const;
/** One group of rules. */
export type RuleGroup = (typeof RULE_GROUPS)[number];

/** A pattern that foreign text must not match. */
export interface PatternRule {
  /** The group of the rule and its name. */
  readonly id: `${RuleGroup}.${string}`;
  /** What it finds. */
  readonly find: RegExp;
  /** Decides on one match if the pattern alone is not enough. `find` has to be global then. */
  readonly confirm?: (match: RegExpExecArray) => boolean;
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

/**
 * The id of the first rule of a short list that matches a text, without the groups that are allowed. Long lists need the
 * search of the pattern filter.
 */
export function firstRuleIn(
  rules: readonly PatternRule[],
  text: string,
  allow: readonly RuleGroup[] = [],
): string | undefined {
  const plain = withoutOwnIds(text);
  return rules.find((rule) => !allow.some((group) => rule.id.startsWith(`${group}.`)) && matchesRule(rule, plain))?.id;
}

/** Tells whether a rule matches a text. */
export function matchesRule(
  { find, confirm }: { readonly find: RegExp; readonly confirm?: PatternRule["confirm"] | undefined },
  text: string,
): boolean {
  if (confirm === undefined) return find.test(text);
  // `matchAll` would make a copy of the pattern.
  find.lastIndex = 0;
  for (let match = find.exec(text); match; match = find.exec(text)) if (confirm(match)) return true;
  return false;
}

/** A block of a private or public key, or the start of one in base64. */
export const KEY_BLOCK =
  /-----BEGIN |PuTTY-User-Key|\bssh-(?:rsa|dss|ed25519) AAAA|AGE-SECRET-KEY-|\b(?:MIIE|MIIC|MIIJ|b3BlbnNzaC1)[A-Za-z0-9+/]{8}/;

/** How tokens of providers begin. Nothing else begins so, if enough random characters follow. */
export const TOKEN_PREFIXES =
  "(?:sk|pk|rk|ak|rzp)[-_](?:live|test|prod|proj|ant|or|svcacct|lf)[-_]|gh[oprsu]_|github_pat_|gl(?:pat|dt|ptt|rt|cbt|soat|ft|imt|agent|sa)[-_]|xox[abcdeoprs]-|xapp-|npm_|pypi-|do[opr]_v1_|shp(?:at|ca|pa|ss)_|hv[sbr]\\.|ya29\\.|AIza|A[KS]IA|LTAI|AKID|whsec_|tskey-|lin_(?:api|oauth)_|ntn_|figd_|hf_|r8_|gsk_|xai-|pplx-|ATATT|ATBB|ATCTT|PMAK-|NR(?:AK|JS|AA|II)-|sntry[su]_|ph[cx]_|sb[ps]_|pscale_|sq0[a-z]{3}-|rdme_|rubygems_|bkua_|fo1_|nvapi-|ctx7sk|tvly-|glc_|atlasv1\\.|GOCSPX-|x(?:key|smtp)sib-|dp\\.[cps]t\\.(?:[a-z]{3}\\.)?|dt0[a-z]\\d\\d\\.|HRKU-|CCIPAT_|lsv2_[a-z]{2}_|pcsk_|fm2_|AQVN|ops_eyJ|FLWSECK|mlsn\\.|EZ[AT]K|tgp_v1_|IGQV|dG9rOj|CLOJARS_|AKCp|pnu_|(?:duffel|shippo)_(?:live|test)_|vercel_blob_rw_|pat-(?:na|eu|ap)\\d-|access-(?:production|sandbox|development)-";

/** Tokens of the chat templates of models. */
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
