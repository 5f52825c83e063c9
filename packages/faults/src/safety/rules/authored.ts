import { CHAT_TOKEN, isPlaceholder, KEY_BLOCK, type PatternRule, TOKEN_PREFIXES, WEBHOOK } from "./rule.ts";

const AUTHORED_SECRET_NAME =
  "pass(?:word|wd|phrase|code)|pwd|secret|api[_-]?key|(?:access|account|sharedaccess|auth|private|secret|signing|encryption|client|master)[_-]?key|(?:access|auth|refresh|id|session|bearer|api|security|bot)[_-]?token|kennwort|passwort|senha";

/**
 * What an author never means to show: credentials of an unmistakable form, and the tokens of chat templates. Ids, hosts,
 * paths, names and addresses are the author's choice.
 */
export const AUTHORED_RULES = [
  { id: "credential.key-block", find: KEY_BLOCK },
  // A cursor is often JSON in base64 too, so either both parts are there, or the header begins as headers do.
  { id: "credential.jwt", find: /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8}|\beyJ(?:hbGciO|0eXAiO|raWQiO|lbmMiO|4NXQiO)/ },
  {
    id: "credential.vendor-token",
    find: new RegExp(
      `\\b(?:(?:${TOKEN_PREFIXES})(?![a-z]{2,12}[_-][a-z]{2,12}(?:[_-]|\\b))(?=[\\w.-]{0,40}\\d)(?=[\\d_.-]{0,60}[A-Za-z])[\\w.=-]{14}|sk-(?=[A-Za-z]{0,30}\\d)[A-Za-z0-9]{20}|(?:dapi|SK)[0-9a-f]{32}|key-(?=[a-z]{0,30}\\d)[0-9a-z]{32}|sk_[0-9a-f]{40}|fc-[0-9a-f]{32}|sess-[A-Za-z0-9]{40}|fw_[A-Za-z0-9]{24}\\b|BSA[\\w-]{28}\\b|access_token\\$\\w|hf_[A-Za-z]{34}|SG\\.[\\w-]{16,}\\.|EAA[A-Z][A-Za-z0-9]{60}|\\d{8,10}:AA[\\w-]{30}|pat\\w{14}\\.[0-9a-f]{64}|[MNO]\\w{23,27}\\.[\\w-]{6}\\.[\\w-]{27}|re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20}|pul-[0-9a-f]{40}|(?:rnd|sgp|jina|tfp|e2b)_[A-Za-z0-9]{20}|sl\\.[\\w-]{60}|1\\/\\/0[\\w-]{40}|\\w{0,20}(?:api|pat|PAT|oat|secret|token)[_-](?=[A-Za-z]{0,30}\\d)(?=[a-z\\d]{0,30}[A-Z])(?=[A-Z\\d]{0,30}[a-z])[A-Za-z0-9]{20})|\\dQ~[\\w.~-]{31}|\\b[0-9a-f]{32}-us\\d|\\$2[aby]\\$\\d\\d\\$|\\$argon2`,
    ),
  },
  {
    id: "credential.userinfo",
    find: /\/\/[^\s/?#"'`:@]{0,100}:([^\s/?#"'`@]{1,200})@/g,
    confirm: (match) => !isPlaceholder(match[1] ?? ""),
  },
  {
    id: "credential.scheme",
    find: /\b(?:bearer|basic|digest|negotiate|apikey|dpop|aws4-hmac-sha256)\s{1,3}["']?([A-Za-z0-9+/_=.~-]{8,})/gi,
    confirm: ([whole, value = ""]) => isMixed(value, /^(?:bearer|dpop|apikey)/i.test(whole) ? 8 : 16),
  },
  {
    id: "credential.header",
    find: /\b(?:authorization|x-(?:[a-z]{1,20}-){0,2}(?:token|key|secret)|private-token|cookie)["']?\s?:\s{0,2}["']?(?:[a-z]{1,12}\s{1,3})?([^\s"',]{6,})/gi,
    confirm: (match) => !isPlaceholder(match[1] ?? "") && /[\d=]/.test(match[1] ?? ""),
  },
  {
    id: "credential.assigned",
    find: new RegExp(
      `(?:${AUTHORED_SECRET_NAME}|(?<![a-z][-_.]?)token)["']?\\s?(?:=|(?<=--[\\w-]{1,20}\\s)(?=\\S{0,20}[\\d!#$%^&*])|:\\s?(?=["']?\\S{0,20}[\\d!#$%^&*]))\\s?["']?([^\\s"',;&<>]{4,})`,
      "gi",
    ),
    confirm: (match) =>
      !isPlaceholder(match[1] ?? "") && !/^(?:true|false|null|undefined|required|none)$/i.test(match[1] ?? ""),
  },
  {
    id: "url.query",
    find: /[?&](?:X-(?:Amz|Goog)-(?:Signature|Credential|Security-Token)|Signature|sig|AWSAccessKeyId|oauth_signature)=[^\s&"'`<>]{12}/i,
  },
  { id: "url.webhook", find: new RegExp(WEBHOOK, "i") },
  { id: "hostile.chat-token", find: new RegExp(CHAT_TOKEN, "i") },
  {
    id: "hostile.markers",
    find: /^\s{0,4}(?:<\/?(?:system|assistant|human|user|instructions?|tool_(?:call|result)|function_calls?|important)\b[^<>]{0,40}>|\[(?:SYSTEM|ASSISTANT)\])|\n\s{0,4}\n\s{0,4}(?:human|assistant|system|user)\s?:/i,
  },
] as const satisfies readonly PatternRule[];

/** Tells whether a value mixes kinds of characters as keys do. After `Basic` words can follow too, if they are short. */
function isMixed(value: string, min: number): boolean {
  return /=$|[a-z][A-Z].*[A-Z]/.test(value) || (value.length >= min && /\d/.test(value) && /[A-Za-z]/.test(value));
}

/** Titles of three hundred characters are rare, and so are errors that are longer. */
const LONG_VALUE = 300;

/** Two lines, JSON, markup, or a list of settings. */
const DUMP =
  /[\r\n]|^\s{0,9}[[{]\s{0,9}["'{[]|<(?:[!/?]|html|body|head|h\d|pre|p>|div|error)|(?:\b\w{1,20}=[^\s;&=]{1,60}[;\s] ?){2}\w{1,20}=\S|\bselect\b.{1,99}\bfrom\b|\b(?:insert into|delete from)\b/i;

/** Codes and names that programs put into errors. */
const ERROR_CODE =
  /\bE(?:CONN|NO(?:ENT|TFOUND|SPC|MEM|TDIR)|ACCES|PERM|PIPE|HOST|NETUN|TIMEDOUT|EXIST|MFILE|ADDR|ISDIR|BUSY|AI_|SOCKET)[A-Z_]{0,12}\b|\bERR_\w|(?:Error|Exception)\b(?=:|\(|$)|\b(?:error|exception|fatal|panic|warning|undefined)\s?:|^\d{1,2} [A-Z_]{5,20}: |\bat (?:async )?\S{1,60} ?\(|\.(?:[jt]sx?|py|rb|php|go|java|kt|cs)(?::\d|\(\d)|", line \d|\bSQLSTATE|\bORA-\d|\bgetaddrinfo\b|\b(?:errno|code) ?[(=:]? ?\d|\b[45]\d\d (?:internal|bad|service|not|gateway|forbidden|unauthori)/i;

/** What went wrong, in the words of errors. One such word alone is a state, such as `expired`. */
const FAILURE =
  /\S[\s:](?:fail(?:ed|ure|s)|denied|refused|rejected|exceeded|expired|timed out|timeout|not (?:found|exist|valid|allowed|supported|permitted|defined|available|authorized|a function)|hang up|closed|aborted|violat|exists?\b(?=$|[.,:])|unavailable|terminated|panicked|fehlgeschlagen|refusée|échoué|falló)|n'existe|не найден|不存在|ません|없습니다|\b(?:fail(?:ed|ure) to|cannot|can['’]t|(?:could|does|did|is|are|was)(?: not|n['’]t)|unable to|(?:is|are|was|been) \w{1,20}(?:ed|en)|must (?:be|have|not|match)|no such|invalid \S{1,30} \S{1,30}|unexpected \w+|unknown (?:column|error|host|option|command|field)|missing (?:required|\S{1,30} (?:in|for|from))|duplicate (?:key|entry|value)|timeout (?:of|after|while)|too many|out of (?:memory|range|disk)|no (?:connection|route|space|response)|expected \S.{0,50} (?:got|but|received)|already (?:exists|in use)|syntax error|not accessible|connection \w+)\b/i;

/** One sentence with its full stop, or two. */
const TWO_SENTENCES = /[a-z)][.!] [A-Z][a-z]{1,20} [a-z]{1,20} |。/;
const TWO_WORDS = / [a-z]{1,20} [a-z]/;
const FULL_STOP = /[\w`][.!]$/;
const ORDER_TO_READER =
  /\b(?:ignore|disregard|forget)\b.{1,50}\b(?:instructions?|rules|above|previous)\b|^(?:please|you (?:must|are|should|need|have)) /i;

/**
 * Tells whether a value that an author interpolated reads like a sentence, an error or a dump, as `error.message` does,
 * and not like a name, an id, a title or a label.
 */
export function readsLikeText(value: string): boolean {
  if (value.length > LONG_VALUE || (TWO_WORDS.test(value) && FULL_STOP.test(value))) return true;
  return [DUMP, ERROR_CODE, FAILURE, TWO_SENTENCES, ORDER_TO_READER].some((pattern) => pattern.test(value));
}
