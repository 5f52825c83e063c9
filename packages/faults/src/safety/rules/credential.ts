import { KEY_BLOCK, TOKEN_PREFIXES } from "./forms.ts";
import { looksRandom } from "./opaque.ts";
import type { PatternRule } from "./rule.ts";
import { isAssigned, isProse, looksSecret } from "./values.ts";

/** Secrets that have a typical form: keys, tokens, hashes, passwords. */
export const CREDENTIAL_RULES = [
  {
    id: "credential.key-block",
    find: KEY_BLOCK,
  },
  { id: "credential.jwt", find: /\beyJ[A-Za-z0-9_-]{6}/ },
  {
    id: "credential.vendor-token",
    find: new RegExp(
      `\\b(?:${TOKEN_PREFIXES}|sk-|SG\\.|A(?:ROA|IDA|GPA|NPA|IPA)|secret_|dapi|EAAA|EAAC)(?=[A-Za-z_.-]{0,40}\\d)(?=[\\d_.-]{0,40}[A-Za-z])[A-Za-z0-9_.-]{8,}`,
    ),
  },
  {
    id: "credential.opaque",
    find: /[A-Za-z0-9+/_-]{12,}/g,
    confirm: ([token]) => looksRandom(token),
  },
  {
    id: "credential.letters",
    find: /(?<![A-Za-z0-9])[a-z]{24,}(?![A-Za-z0-9])|(?<![A-Za-z0-9])[A-Z]{24,}(?![A-Za-z0-9])/g,
    confirm: ([token]) => /[^aeiouy]{6}/i.test(token) && new Set(token).size > 9,
  },
  {
    id: "credential.scheme",
    find: /\b(?:bearer|basic|digest|negotiate|ntlm|hawk|dpop|oauth|apikey|api-key|token|key|signature|credentials?|aws4-hmac-sha256)[\s:]{1,3}["']?([A-Za-z0-9+/_=.~-]{8,})/gi,
    confirm: (match) => looksSecret(match[1] ?? "", 8),
  },
  {
    id: "credential.header",
    find: /\b(?:(?:proxy-)?authorization|x-(?:[a-z]{1,20}-){0,3}(?:token|key|secret|signature|auth)|(?:set-)?cookie2?|private-token|www-authenticate)["']?\s?:\s{0,2}["']?(?:(?:bearer|basic|digest|token|negotiate|apikey)\s+)?([^\s"',;]{4,})/gi,
    confirm: (match) => isAssigned(match[1] ?? "", 4),
  },
  {
    id: "credential.hash",
    find: /\$(?:2[abxy]?|1|5|6|7|y|apr1|argon2[a-z]{0,2}|scrypt|pbkdf2[a-z0-9-]{0,12}|P|H|sha1)\$[^\s]{6}|\bpbkdf2_sha\d{1,3}\$|\bsha(?:1|256|512)\$/,
  },
  {
    id: "credential.ldap-hash",
    find: /\{(?:S?SHA(?:256|512)?|S?MD5|CRYPT|PBKDF2)\}[A-Za-z0-9+/=]{8}/i,
  },
  {
    id: "credential.password-shape",
    find: /(?:[!#&*?~$^]|%(?![0-9A-Fa-f]{2}))(?=[A-Za-z0-9!#%&*?~$^@._+-])/g,
    confirm: ({ input, index }) => isPasswordShape(input, index),
  },
  {
    id: "credential.masked",
    find: /[A-Za-z0-9_-]{2}\*{3}|\*{4}[A-Za-z0-9]{2}|[A-Za-z0-9_-]{2}[•●]{3}|[•●]{4}[A-Za-z0-9]{2}|(?<=\d[A-Za-z0-9_-]{0,12})[A-Za-z0-9_-]{3}\.{3}[A-Za-z0-9_-]{2}|(?<=\d[A-Za-z0-9_-]{0,12})[A-Za-z0-9_-]{3}…[A-Za-z0-9_-]{2}|\b(?:sk|pk|ghp|xoxb|eyJ)[-_A-Za-z0-9]{0,20}\.{3}|\b(?:sk|pk|ghp|xoxb|eyJ)[-_A-Za-z0-9]{0,20}…|[Xx]{4}[- ]?\d{4}\b/,
  },
  {
    id: "credential.userinfo",
    find: /[\w/]:(?!\/\/)[^\s@/:"']{3,80}@[\w.-]{2}/,
  },
  {
    id: "credential.connection-string",
    find: /\b(?:AccountKey|SharedAccessKey(?:Name)?|SharedAccessSignature|AccountName|EndpointSuffix|Data Source|Initial Catalog|Integrated Security|Persist Security Info|User ?Id|Uid|DefaultEndpointsProtocol|InstrumentationKey|TrustServerCertificate)\s?=\s?[^\s;]{2}|\bhost(?:addr)?=\S{1,80}\s(?:\S{1,80}\s){0,6}(?:user|dbname|password|port)=|\bServer=[^\s;]{2,80};/i,
  },
  {
    id: "credential.phrase",
    find: /\b(?:pass(?:word|phrase|code)|mnemonic|(?:seed|recovery|backup) (?:phrase|words))\b[^.:;"'“]{0,20}(?:\bis\b|\bwas\b|[:=])\s{0,2}((?:[a-z]{2,12}[ -]){2,23}[a-z]{2,12})/gi,
    confirm: (match) => !(match[1] ?? "").split(/[ -]/).some(isProse),
  },
  {
    id: "credential.quoted",
    find: /\b(?:pass(?:word|phrase|code|wd)|pwd|secret|tokens?|(?:api|access|secret|private|signing|encryption|license) ?keys?|credentials?|otp|pin|kennwort|passwort|contrase.a|senha)\s[^"'`“”()<>]{0,40}["'`“(]([^\s"'`”)]{6,128})["'`”)]/gi,
    confirm: (match) => looksSecret(match[1] ?? "", /^p(?:ass|wd|in)/i.test(match[0]) ? 6 : 8),
  },
  {
    id: "credential.groups",
    find: /(?<![\w-])(?=[A-Z-]{0,24}\d)(?=[\d-]{0,24}[A-Z])[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){3,7}(?![\w-])/,
  },
  {
    id: "credential.leet",
    find: /\b(?=[a-z\d]{0,30}[A-Z])[A-Za-z\d]{0,20}[A-Za-z]\d[a-z][A-Za-z]{0,10}\d[a-z]/,
  },
  { id: "credential.words", find: /(?<![\w/-])[a-z]{4,10}(?:-[a-z]{4,10}){4,11}(?![\w/-])/ },
  { id: "credential.spelled", find: /(?:^|\s)(?:[A-Za-z0-9] ){10,}/ },
  {
    id: "credential.char-codes",
    find: /\d{2,3}(?:, ?\d{2,3}){7,127}/g,
    confirm: ([list]) => list.split(",").every((code) => Number(code) > 31 && Number(code) < 127),
  },
] as const satisfies readonly PatternRule[];

/** A word of upper-case letters, lower-case letters and digits around one of `!#%&*?~$^`, as password rules ask for. */
function isPasswordShape(text: string, at: number): boolean {
  const before = /(?:^|[\s"'`(=:,>])([A-Za-z0-9!#%&*?~$^+@._-]{1,48})$/.exec(text.slice(Math.max(0, at - 48), at));
  const after = /^[A-Za-z0-9!#%&*?~$^+@._-]{1,48}(?=$|[\s"'`),;<])/.exec(text.slice(at, at + 49));
  if (!before || !after) return false;
  const word = (before[1] ?? "") + after[0].replace(/[.?!]{1,3}$/, "");
  return word.length >= 8 && /[A-Z]/.test(word) && /[a-z]/.test(word) && /\d/.test(word);
}
