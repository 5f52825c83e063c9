import { isPlaceholder, KEY_BLOCK, type PatternRule, TOKEN_PREFIXES } from "./rule.ts";

const MIN_RUN = 12;
const LONG_RUN = 16;

/** How often random text changes between upper case, lower case and digits. Words in camelCase do so less often. */
const DENSITY = { short: 0.45, long: 0.25, letters: 0.42, joined: 0.42 } as const;

const UPS = /^1Z[0-9A-Z]{16}$/;
const SEPARATED = /[+/_-]/;

/** Tells whether a run of letters, digits and `+/_-` looks random, as keys and generated ids do. */
export function looksRandom(token: string): boolean {
  if (token.length < MIN_RUN || !hasVariety(token) || UPS.test(token)) return false;
  return SEPARATED.test(token) ? token.split(/[+/_-]/).some(isRandomRun) || isRandomBody(token) : isRandomRun(token);
}

// Most long words are in lower case, or have one or two capitals.
function hasVariety(token: string): boolean {
  let capitals = 0;
  for (let i = 0; i < token.length; i++) {
    const code = token.charCodeAt(i);
    if (code > 47 && code < 58) return true;
    if (code > 64 && code < 91 && ++capitals > 2) return true;
  }
  return false;
}

interface Profile {
  readonly upper: number;
  readonly lower: number;
  readonly digit: number;
  readonly changes: number;
  readonly distinct: number;
}

function isRandomRun(run: string): boolean {
  if (run.length < MIN_RUN) return false;
  const { upper, lower, digit, changes, distinct } = profile(run);
  const density = changes / (run.length - 1);
  if (distinct < 6) return false;
  if (digit === 0) return run.length >= LONG_RUN && upper > 2 && lower > 2 && density >= DENSITY.letters;
  if (upper + lower === 0) return false;
  if (run.length >= LONG_RUN) return changes >= 4 && density >= DENSITY.long;
  return density >= DENSITY.short;
}

// The characters `+/_-` split a base64 text into runs that are too short to confirm by themselves.
function isRandomBody(token: string): boolean {
  if (token.length < 20) return false;
  const { upper, lower, digit, changes } = profile(token.replace(/[+/_-]/g, ""));
  return upper > 2 && lower > 2 && digit > 1 && changes / token.length >= DENSITY.joined;
}

function profile(run: string): Profile {
  let upper = 0;
  let lower = 0;
  let digit = 0;
  let changes = 0;
  let before = 0;
  for (let i = 0; i < run.length; i++) {
    const code = run.charCodeAt(i);
    const kind = code < 58 ? 1 : code < 91 ? 2 : 3;
    if (kind === 1) digit++;
    else if (kind === 2) upper++;
    else lower++;
    if (i > 0 && kind !== before) changes++;
    before = kind;
  }
  return { upper, lower, digit, changes, distinct: new Set(run.slice(0, 64)).size };
}

/** Words that follow the name of a secret in a sentence about it. */
const PROSE = new Set(
  (
    "a an and any are as at auth authentication authorization base64 base64url be been bearer basic before but by can cannot cant case " +
    "char character characters check contain contains could default denied did digest does doesnt empty endpoint error exactly expected " +
    "expires expiry fail failed fails failure false field for format from generate get grant had has have header hex how https if in " +
    "incorrect invalid is isnt it its jwt length limit limits long longer malformed may mismatch missing mode must need needs new no " +
    "none not null number oauth oauth2 of off ok old on once one only optional or page parameter please policy present provide refresh " +
    "regenerate required requires reset revoked rotate same scope see self send session set sha1 sha256 sha512 short should size some still " +
    "such than that the their them there this to token too true try twice type undefined unknown unset use user valid via wait was " +
    "were when which will with within without wrong yes you your"
  ).split(" "),
);

const TECHNICAL =
  /^(?:(?:sha|md|aes|rsa|rs|hs|es|ps|utf|base|oauth|ed|x|rfc|v|p|tls|http|pkce|ipv|h)-?\d+[a-z-]*|[\d.,:/-]+(?:ms|[smhd]|[kmg]?i?b)?|\d{4}-\d\d-\d\d.*|[a-z]+-(?:encoded|sensitive|only|based|lived|separated|compatible))$/i;

/** Tells whether a value looks like a password or key, and not like a word in a sentence. */
export function looksSecret(value: string, min = 6): boolean {
  const core = trimEnd(value);
  if (core.length < min || isPlaceholder(core) || TECHNICAL.test(core)) return false;
  const digit = /\d/.test(core);
  const letter = /[A-Za-z]/.test(core);
  const special = /[!#$%^&*+=?~@]/.test(core);
  const mixed = /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(core);
  return (digit && letter) || (special && (digit || letter)) || (mixed && core.length >= 10) || looksRandom(core);
}

/** Tells whether a value after the name of a secret can be the secret: it is neither a placeholder nor prose. */
export function isAssigned(value: string, min = 3): boolean {
  const core = trimEnd(value);
  if (core.length < min || isPlaceholder(core)) return false;
  return !isProse(core) && !/^[\d.]{1,3}$/.test(core);
}

/** Tells whether a word is common in sentences about secrets. */
export function isProse(word: string): boolean {
  return PROSE.has(word.toLowerCase().replaceAll("'", "")) || /[a-z](?:ed|ing|able|ible|ory|tion|ment|ly)$/i.test(word);
}

function trimEnd(value: string): string {
  return value.replace(/[.,;:!?)\]}"'`]{1,4}$/, "");
}

/** Secrets that have a typical form: keys, tokens, hashes, passwords. */
export const CREDENTIAL_RULES = [
  { id: "credential.key-block", cut: { to: "block" }, find: KEY_BLOCK },
  { id: "credential.jwt", cut: { to: "token" }, find: /\beyJ[A-Za-z0-9_-]{6}/ },
  {
    id: "credential.vendor-token",
    cut: { to: "token" },
    find: new RegExp(
      `\\b(?:${TOKEN_PREFIXES}|sk-|SG\\.|A(?:ROA|IDA|GPA|NPA|IPA)|secret_|dapi|EAAA|EAAC)(?=[A-Za-z_.-]{0,40}\\d)(?=[\\d_.-]{0,40}[A-Za-z])[A-Za-z0-9_.-]{8,}`,
    ),
  },
  {
    id: "credential.opaque",
    cut: { to: "token", isShape: true },
    find: /[A-Za-z0-9+/_-]{12,}/g,
    confirm: ([token]) => looksRandom(token),
  },
  {
    id: "credential.letters",
    cut: { to: "token", isShape: true },
    find: /(?<![A-Za-z0-9])[a-z]{24,}(?![A-Za-z0-9])|(?<![A-Za-z0-9])[A-Z]{24,}(?![A-Za-z0-9])/g,
    confirm: ([token]) => /[^aeiouy]{6}/i.test(token) && new Set(token).size > 9,
  },
  {
    id: "credential.scheme",
    cut: { to: "value", groups: [1] },
    find: /\b(?:bearer|basic|digest|negotiate|ntlm|hawk|dpop|oauth|apikey|api-key|token|key|signature|credentials?|aws4-hmac-sha256)[\s:]{1,3}["']?([A-Za-z0-9+/_=.~-]{8,})/gi,
    confirm: (match) => looksSecret(match[1] ?? "", 8),
  },
  {
    id: "credential.header",
    cut: { to: "header", groups: [1] },
    find: /\b(?:(?:proxy-)?authorization|x-(?:[a-z]{1,20}-){0,3}(?:token|key|secret|signature|auth)|(?:set-)?cookie2?|private-token|www-authenticate)["']?\s?:\s{0,2}["']?(?:(?:bearer|basic|digest|token|negotiate|apikey)\s+)?([^\s"',;]{4,})/gi,
    confirm: (match) => isAssigned(match[1] ?? "", 4),
  },
  {
    id: "credential.hash",
    cut: { to: "token" },
    find: /\$(?:2[abxy]?|1|5|6|7|y|apr1|argon2[a-z]{0,2}|scrypt|pbkdf2[a-z0-9-]{0,12}|P|H|sha1)\$[^\s]{6}|\bpbkdf2_sha\d{1,3}\$|\bsha(?:1|256|512)\$/,
  },
  {
    id: "credential.ldap-hash",
    cut: { to: "token" },
    find: /\{(?:S?SHA(?:256|512)?|S?MD5|CRYPT|PBKDF2)\}[A-Za-z0-9+/=]{8}/i,
  },
  {
    id: "credential.password-shape",
    cut: { to: "token", isShape: true },
    find: /(?:[!#&*?~$^]|%(?![0-9A-Fa-f]{2}))(?=[A-Za-z0-9!#%&*?~$^@._+-])/g,
    confirm: ({ input, index }) => isPasswordShape(input, index),
  },
  {
    id: "credential.masked",
    cut: { to: "token" },
    find: /[A-Za-z0-9_-]{2}\*{3}|\*{4}[A-Za-z0-9]{2}|[A-Za-z0-9_-]{2}[•●]{3}|[•●]{4}[A-Za-z0-9]{2}|(?<=\d[A-Za-z0-9_-]{0,12})[A-Za-z0-9_-]{3}\.{3}[A-Za-z0-9_-]{2}|(?<=\d[A-Za-z0-9_-]{0,12})[A-Za-z0-9_-]{3}…[A-Za-z0-9_-]{2}|\b(?:sk|pk|ghp|xoxb|eyJ)[-_A-Za-z0-9]{0,20}\.{3}|\b(?:sk|pk|ghp|xoxb|eyJ)[-_A-Za-z0-9]{0,20}…|[Xx]{4}[- ]?\d{4}\b/,
  },
  { id: "credential.userinfo", cut: { to: "token" }, find: /[\w/]:(?!\/\/)[^\s@/:"']{3,80}@[\w.-]{2}/ },
  {
    id: "credential.connection-string",
    cut: { to: "token" },
    find: /\b(?:AccountKey|SharedAccessKey(?:Name)?|SharedAccessSignature|AccountName|EndpointSuffix|Data Source|Initial Catalog|Integrated Security|Persist Security Info|User ?Id|Uid|DefaultEndpointsProtocol|InstrumentationKey|TrustServerCertificate)\s?=\s?[^\s;]{2}|\bhost(?:addr)?=\S{1,80}\s(?:\S{1,80}\s){0,6}(?:user|dbname|password|port)=|\bServer=[^\s;]{2,80};/i,
  },
  {
    id: "credential.phrase",
    cut: { to: "match", groups: [1] },
    find: /\b(?:pass(?:word|phrase|code)|mnemonic|(?:seed|recovery|backup) (?:phrase|words))\b[^.:;"'“]{0,20}(?:\bis\b|\bwas\b|[:=])\s{0,2}((?:[a-z]{2,12}[ -]){2,23}[a-z]{2,12})/gi,
    confirm: (match) => !(match[1] ?? "").split(/[ -]/).some(isProse),
  },
  {
    id: "credential.quoted",
    cut: { to: "value", groups: [1] },
    find: /\b(?:pass(?:word|phrase|code|wd)|pwd|secret|tokens?|(?:api|access|secret|private|signing|encryption|license) ?keys?|credentials?|otp|pin|kennwort|passwort|contrase.a|senha)\s[^"'`“”()<>]{0,40}["'`“(]([^\s"'`”)]{6,128})["'`”)]/gi,
    confirm: (match) => looksSecret(match[1] ?? "", /^p(?:ass|wd|in)/i.test(match[0]) ? 6 : 8),
  },
  {
    id: "credential.groups",
    cut: { to: "match", isShape: true },
    find: /(?<![\w-])(?=[A-Z-]{0,24}\d)(?=[\d-]{0,24}[A-Z])[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){3,7}(?![\w-])/,
  },
  {
    id: "credential.leet",
    cut: { to: "token", isShape: true },
    find: /\b(?=[a-z\d]{0,30}[A-Z])[A-Za-z\d]{0,20}[A-Za-z]\d[a-z][A-Za-z]{0,10}\d[a-z]/,
  },
  {
    id: "credential.words",
    cut: { to: "match", isShape: true },
    find: /(?<![\w/-])[a-z]{4,10}(?:-[a-z]{4,10}){4,11}(?![\w/-])/,
  },
  { id: "credential.spelled", cut: { to: "match" }, find: /(?:^|\s)(?:[A-Za-z0-9] ){10,}/ },
  {
    id: "credential.char-codes",
    cut: { to: "match", isShape: true },
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

/** Secrets that follow a name such as `password`, in any notation for a name and its value. */
export const ASSIGNED_SECRET_RULES = [
  {
    id: "credential.assigned",
    cut: { to: "value", groups: [2, 1] },
    find: /(?<![A-Za-z0-9])([\w.-]{0,40}?(?:passw(?:or)?d|passwd|pwd|passphrase|passcode|pass|secret|token|api[_-]?key|apikey|(?:access|account|auth|private|secret|signing|encryption|master|shared|license|client|service|storage|session|deploy|ssh|host|webhook|sas|crypt)[_-]?key|credentials?|creds?|signature|sig|session(?:_?id)?|sid|csrf|xsrf|otp|totp|pin|cvv|cvc|jwt|bearer|auth|salt|dsn|connection[_-]?string|conn[_-]?str|kennwort|passwort|contrase.a|senha|wachtwoord|mot[_-]de[_-]passe|database_url|redis_url|mongo(?:db)?_ur[il]|amqp_url|sentry_dsn)["']?\]?)\s{0,2}(?:=>|:=|={1,2})\s{0,2}\\?["'`]?([^\s"'`,;&<>\\]{3,})/gi,
    confirm: (match) => isSecretName(match[1] ?? "") && isAssigned(match[2] ?? ""),
  },
  {
    id: "credential.member",
    cut: { to: "value", groups: [2, 1] },
    find: /["']([\w.-]{0,40}?(?:pass|pwd|secret|token|key|credential|creds?|signature|session|sid|csrf|otp|pin|cvv|cvc|jwt|bearer|auth|authorization|salt|hash|dsn|cookie)[\w-]{0,20})["']\s{0,4}:\s{0,4}["']([^"'\s]{3,})/gi,
    confirm: (match) => isSecretName(match[1] ?? "") && isAssigned(match[2] ?? "", 4),
  },
  {
    id: "credential.labelled",
    cut: { to: "value", groups: [2, 1] },
    find: /((?:passw(?:or)?d|passwd|pwd|passphrase|passcode|secret|token|api[ _-]?key|(?:access|account|auth|private|secret|signing|encryption|master|shared|license|client|session|deploy|host|recovery|backup|verification|security|one-time|login|access)[ _-]?(?:key|code)|credentials?|signature|otp|pin|cvv|cvc|jwt|kennwort|passwort|contrase.a|senha|wachtwoord|mot de passe|parola))["']?(?:\s{0,2}[:：]\s{0,3}|\s(?:is|was|are|equals|ist|war|est|es|è|é|to|of|used|value|provided|received|got|sent|supplied|given)\s(?:now\s|currently\s|set to\s|:\s?)?|是|は|는|\s{1,2}["'“(]?)["'`“«(]?([^\s"'`”»,;)<>]{4,})(?=([^\S\n][a-z])?)/gi,
    confirm: (match) =>
      // Prose goes on in the same line.
      isSecretName(wholeName(match)) && isLabelledValue(match[0], match[2] ?? "", match[3] === undefined),
  },
  {
    id: "credential.labelled-foreign",
    cut: { to: "value", groups: [2] },
    find: /(hasło|lösenord|şifre|пароль|токен|ключ|密码|密碼|口令|令牌|密钥|パスワード|トークン|비밀번호|토큰|كلمة المرور|סיסמה|รหัสผ่าน|mật khẩu)(?:[^\p{L}\p{N}]{0,3}(?:是|は|는|은|เป็น|là|to|jest|är)?\s?|\s(?:is\s)?)["'`“«「(:：]{0,2}([!-~]{4,})/giu,
    confirm: (match) => looksSecret(match[2] ?? "", 6) || /^\d{6,}/.test(match[2] ?? ""),
  },
  {
    id: "credential.prose",
    cut: { to: "value", groups: [1] },
    find: /(?<![\w/-])(?:pass|pw|psw)(?:[:=]\s{0,2}|\s(?:(?:(?:of|for)(?:\s[\w.@-]{1,30}){1,3}\s)?(?:is|was)\s)?)["'`“«(]?([^\s"'`”»,;)<>]{4,64})/gi,
    confirm: isPasswordAfter,
  },
  {
    id: "credential.flag",
    cut: { to: "value", groups: [1] },
    find: /(?<![\w-])--?(?:p|pass\w{0,12}|pwd|token|secret|api-?key|access-?key|auth\w{0,10}|credential\w{0,3}|client-?secret|private-?key|requirepass)(?:[= ]\s?|(?=['"]))["']?([^\s"'<>]{3,})/gi,
    confirm: (match) => looksSecret(match[1] ?? "", 4) || (/=["']?/.test(match[0]) && isAssigned(match[1] ?? "")),
  },
] as const satisfies readonly PatternRule[];

// `token_type=bearer` and `max_tokens=4096` describe a secret and do not contain one.
const ABOUT =
  /(?:^|[_-])(?:max|min|num|n|total|count|public|page|next|prev|continuation|author|monkey|keyboard)(?:$|[_-])|[_-](?:type|types|url|uri|name|names|count|limit|length|policy|expiry|expires|expires_in|ttl|required|endpoint|field|fields|format|method|mode|status|version|size|usage|scope|scopes)["'\]]*$|^(?:author|compass|bypass|monkey|keyboard|passenger|passive|tokenize|design|side|inside|signal|hashtag)$|(?:compass|bypass|trespass|surpass|encompass)$/i;

function wholeName({ 1: name = "", index, input }: RegExpExecArray): string {
  return (/[\w-]{0,24}$/.exec(input.slice(Math.max(0, index - 24), index))?.[0] ?? "") + name;
}

function isSecretName(name: string): boolean {
  return !ABOUT.test(name);
}

/** In prose a value must look like a secret, unless it ends its clause, as in `password: swordfish`. */
function isLabelledValue(whole: string, value: string, endsClause: boolean): boolean {
  if (looksSecret(value, 6)) return true;
  if (/^\d{4,12}\W{0,2}$/.test(value))
    return endsClause || value.length >= 6 || /\b(?:pin|otp|cvv|passcode)\b/i.test(whole);
  return (
    endsClause && /[:：是は는]|\bis\s|\bwas\s/.test(whole) && /^[a-z]{4,}\W{0,1}$/.test(value) && isAssigned(value, 5)
  );
}

/** Before these a person or a value passes something, or the pass is a ticket or a step. */
const OTHER_PASS =
  /(?:^|[^\p{L}])(?:please|to|must|should|shall|may|might|will|would|can|could|cannot|not|n't|never|always|only|also|either|then|you|we|they|it|that|which|and|or|did|does|do|boarding|season|ski|bus|day|travel|train|rail|museum|event|festival|game|hall|mountain|monthly|annual|city|park|visitor|backstage|render|rendering|compiler|optimi[sz]er|first|second|third|last|next|each|every|per|data|battle|multi|single|low|high|band)\s$/iu;
/** A person or an account whose password is given right after, as in `user root pass Sommer`. */
const ACCOUNT_BEFORE =
  /\b(?:user(?:name)?|login|account|uid|usr)[ =:]{1,2}["']?[\w.@-]{2,30}["']?(?:\s?[,;/]|\sand)?\s$/i;
const PARAMETER_NAME =
  /^[a-z]+(?:[A-Z][a-z]*)*\d?$|[_.(){}[\]/\\]|^(?:u?int|float|double|utf|sha|md|base|arg|line|phase|step|v|http|h|x|ipv)\d+\w{0,4}$/;

const REFUSED_AFTER =
  /^["'`”»),]{0,2}\s(?:(?:is|was|not)\s){0,2}(?:refused|rejected|denied|wrong|leaked|accepted|reset)\b/i;

/** Whether a word after `pass` or `pw` is a password. Most words after `pass` are not. */
function isPasswordAfter({ 0: whole, 1: given = "", index, input }: RegExpExecArray): boolean {
  const before = input.slice(Math.max(0, index - 48), index);
  const value = given.replace(/[.,;:!?)\]}"'`]{1,4}$/, "");
  if (value.length < 4 || /^\w{1,20}=/.test(value)) return false;
  if (ACCOUNT_BEFORE.test(before)) return isAssigned(value, 4) && /\d|^\p{Lu}|[!#$%^&*?~@+]/u.test(value);
  // `pw` is no word of a sentence.
  const isWord = /^pass\b/i.test(whole);
  if (isWord && OTHER_PASS.test(before)) return false;
  if (
    isWord &&
    PARAMETER_NAME.test(value) &&
    !REFUSED_AFTER.test(input.slice(index + whole.length, index + whole.length + 40))
  ) {
    return false;
  }
  return /\p{Ll}/u.test(value) && /[\d!#$%^&*?~@+]/.test(value) && looksSecret(value, 4);
}
