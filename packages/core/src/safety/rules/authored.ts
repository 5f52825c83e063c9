import { CHAT_TOKEN, isPlaceholder, KEY_BLOCK, type PatternRule, TOKEN_PREFIXES, WEBHOOK } from "./rule.ts";

const AUTHORED_SECRET_NAME =
  "pass(?:word|wd|phrase|code)|pwd|secret|api[_-]?key|(?:access|account|sharedaccess|auth|private|secret|signing|encryption|client|master)[_-]?key|(?:access|auth|refresh|id|session|bearer|api|security|bot)[_-]?token|kennwort|passwort|senha";

/**
 * What an author never means to show: credentials of an unmistakable form, and the tokens of chat templates. Ids, hosts,
 * paths, names and addresses are the author's choice.
 */
export const AUTHORED_RULES = [
  { id: "credential.key-block", cut: { to: "block" }, find: KEY_BLOCK },
  // A cursor is often JSON in base64 too, so either both parts are there, or the header begins as headers do.
  {
    id: "credential.jwt",
    cut: { to: "token" },
    find: /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8}|\beyJ(?:hbGciO|0eXAiO|raWQiO|lbmMiO|4NXQiO)/,
  },
  {
    id: "credential.vendor-token",
    cut: { to: "token" },
    find: new RegExp(
      `\\b(?:(?:${TOKEN_PREFIXES})(?![a-z]{2,12}[_-][a-z]{2,12}(?:[_-]|\\b))(?=[\\w.-]{0,40}\\d)(?=[\\d_.-]{0,60}[A-Za-z])[\\w.=-]{14}|sk-(?=[A-Za-z]{0,30}\\d)[A-Za-z0-9]{20}|(?:dapi|SK)[0-9a-f]{32}|key-(?=[a-z]{0,30}\\d)[0-9a-z]{32}|sk_[0-9a-f]{40}|fc-[0-9a-f]{32}|sess-[A-Za-z0-9]{40}|fw_[A-Za-z0-9]{24}\\b|BSA[\\w-]{28}\\b|access_token\\$\\w|hf_[A-Za-z]{34}|SG\\.[\\w-]{16,}\\.|EAA[A-Z][A-Za-z0-9]{60}|\\d{8,10}:AA[\\w-]{30}|pat\\w{14}\\.[0-9a-f]{64}|[MNO]\\w{23,27}\\.[\\w-]{6}\\.[\\w-]{27}|re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20}|pul-[0-9a-f]{40}|(?:rnd|sgp|jina|tfp|e2b)_[A-Za-z0-9]{20}|sl\\.[\\w-]{60}|1\\/\\/0[\\w-]{40}|\\w{0,20}(?:api|pat|PAT|oat|secret|token)[_-](?=[A-Za-z]{0,30}\\d)(?=[a-z\\d]{0,30}[A-Z])(?=[A-Z\\d]{0,30}[a-z])[A-Za-z0-9]{20})|\\dQ~[\\w.~-]{31}|\\b[0-9a-f]{32}-us\\d|\\$2[aby]\\$\\d\\d\\$|\\$argon2`,
    ),
  },
  {
    id: "credential.userinfo",
    cut: { to: "match", groups: [1] },
    find: /\/\/[^\s/?#"'`:@]{0,100}:([^\s/?#"'`@]{1,200})@/g,
    confirm: (match) => !isPlaceholder(match[1] ?? ""),
  },
  {
    id: "credential.scheme",
    cut: { to: "value", groups: [1] },
    find: /\b(?:bearer|basic|digest|negotiate|apikey|dpop|aws4-hmac-sha256)\s{1,3}["']?([A-Za-z0-9+/_=.~-]{8,})/gi,
    confirm: ([whole, value = ""]) => isMixed(value, /^(?:bearer|dpop|apikey)/i.test(whole) ? 8 : 16),
  },
  {
    id: "credential.header",
    cut: { to: "header", groups: [1] },
    find: /\b(?:authorization|x-(?:[a-z]{1,20}-){0,2}(?:token|key|secret)|private-token|cookie)["']?\s?:\s{0,2}["']?(?:[a-z]{1,12}\s{1,3})?([^\s"',]{6,})/gi,
    confirm: (match) => !isPlaceholder(match[1] ?? "") && /[\d=]/.test(match[1] ?? ""),
  },
  {
    id: "credential.assigned",
    cut: { to: "value", groups: [2, 1] },
    find: new RegExp(
      `(?:${AUTHORED_SECRET_NAME}|(?<![a-z][-_.]?)token)["']?\\s?(?:=|(?<=--[\\w-]{1,20}\\s)(?=\\S{0,20}[\\d!#$%^&*])|:\\s?(?=["']?\\S{0,20}[\\d!#$%^&*]))\\s?["']?([^\\s"',;&<>]{4,})`,
      "gi",
    ),
    confirm: (match) =>
      !isPlaceholder(match[1] ?? "") && !/^(?:true|false|null|undefined|required|none)$/i.test(match[1] ?? ""),
  },
  {
    id: "url.query",
    cut: { to: "value" },
    find: /[?&](?:X-(?:Amz|Goog)-(?:Signature|Credential|Security-Token)|Signature|sig|AWSAccessKeyId|oauth_signature)=[^\s&"'`<>]{12}/i,
  },
  { id: "url.webhook", cut: { to: "token" }, find: new RegExp(WEBHOOK, "i") },
  { id: "hostile.chat-token", cut: { to: "match" }, find: new RegExp(CHAT_TOKEN, "i") },
] as const satisfies readonly PatternRule[];

/** Tells whether a value mixes kinds of characters as keys do. After `Basic` words can follow too, if they are short. */
function isMixed(value: string, min: number): boolean {
  return /=$|[a-z][A-Z].*[A-Z]/.test(value) || (value.length >= min && /\d/.test(value) && /[A-Za-z]/.test(value));
}
