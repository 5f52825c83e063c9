import { isPlainWord } from "./plain-words.ts";
import { isProse } from "./rules/values.ts";

// A removed text hides more than the match that removed it. So before a text is shown because its matches repeat the caller,
// what it says besides must be harmless by a test that is much stricter than the rules.

/** Stands for a part of a text that repeats the caller. */
export const REPEATED = "\ue000";
/** Stands for such a part that is complete by its form, such as an e-mail address, so that the next word is not part of it. */
export const COMPLETE = "\ue001";
/** Both of them. */
export const MARKS: RegExp = /[\ue000\ue001]/g;

/** How strict the test is. `words` demands that all words are ordinary ones. */
export type Strictness = "values" | "words";

/** Names of secrets. What stands near one may be the secret, also where it is an ordinary word. */
const SECRET_NAME =
  "pass(?!ed|es|ing|age|eng|ive|port\\b)\\w{0,12}|pwd|secret|token|credential|(?:api|access|private|auth|signing|encryption|master|client|ssh|recovery|license)[ _-]?(?:key|code)|\\b(?:pin|otp|totp|cvv|cvc|jwt|bearer|auth|authorization|dsn|salt|parola)\\b|kennwort|passwort|contrase.a|senha|wachtwoord|mot de passe|hasło|lösenord|şifre|пароль|токен|密码|密碼|口令|令牌|密钥|パスワード|トークン|비밀번호|토큰|كلمة المرور|סיסמה|รหัสผ่าน|mật khẩu";
const NAMED = new RegExp(SECRET_NAME, "i");
/** What follows the name of a secret, or a word that can stand between the name and the secret. */
const FOLLOWING = new RegExp(
  `(?:(?:${SECRET_NAME})[\\w]{0,3}|\\b(?:is|was|are|ist|war|est|es|equals|to|with|as)\\b|[=:：])[^\\p{L}\\p{N}]{0,8}([\\p{L}\\p{N}]{1,40})`,
  "giu",
);

/** Tells whether a text names a secret. */
export function namesSecret(text: string): boolean {
  return NAMED.test(text);
}

/** After these comes the name of a part of a database, which often is an ordinary word. */
const OBJECT = /\b(?:columns?|tables?|relation|schema|collection)\s{1,2}["'`]?(?=([\p{L}\p{N}_]{1,64}))/giu;

/** Where names of parts of a database begin in a text. */
export function databaseNames(text: string): readonly number[] {
  return Array.from(text.matchAll(OBJECT))
    .filter(([, word = ""]) => !goesOn(word))
    .map(({ 0: before, index }) => index + before.length);
}

/** Words of sentences about who may enter. What else such a sentence says may be what was tried as a password. */
const ACCESS =
  /\b(?:users?|usernames?|log(?:s|ged|ging)? ?[io]n|logins?|sign(?:s|ed|ing)? ?in|root|admin\w{0,10}|guest|accounts?|auth\w{0,12}|bind|refused?s?|den(?:y|ied|ies)|reject(?:s|ed)?|accept(?:s|ed)?|owned|unlock\w{0,3})\b/i;

/** Tells whether a text is about access. */
export function isAboutAccess(text: string): boolean {
  return ACCESS.test(text);
}

/** Where words begin in a text with the name of a secret that can be the secret itself. */
export function possibleValues(text: string): readonly number[] {
  const starts: number[] = [];
  for (let match = nextFollowing(text, 0); match; match = nextFollowing(text, match.index + 1)) {
    const word = match[1] ?? "";
    if (!isProse(word) && !GOING_ON.has(word.toLowerCase()) && !NAMED.test(word))
      starts.push(match.index + match[0].length - word.length);
  }
  return starts;
}

function nextFollowing(text: string, from: number): RegExpExecArray | null {
  FOLLOWING.lastIndex = from;
  return FOLLOWING.exec(text);
}

const PUNCTUATION = "\"'`()[\\]{}<>«»“”‘’„‚「」『』.,;:!?…";
const TRIM = new RegExp(`^[${PUNCTUATION}#*–—-]+|[${PUNCTUATION}*–—-]+$`, "gu");
const NUMBER = /^[+-]?\d{1,4}(?:[.,:]\d{1,3}){0,2}%?$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const UNIT = /^\d{1,4}(?:ms|[smhdx%]|[kmgt]i?b|px|st|nd|rd|th)$/i;
const WORD = /^\p{L}[\p{L}\p{M}]*(?:['’]\p{L}{1,4})?$/u;
const REGULAR = /^\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+$|^\p{Lu}{1,6}s?$/u;
const CAPITALISED = /^\p{Lu}\p{Ll}+$/u;
/** Words of the names of machines, as in `mail-gateway`. */
const MACHINE =
  /^(?:mail|gateway|api|web|app|server|host|node|proxy|cache|queue|worker|master|primary|replica|service|store|storage|cluster|broker|database|data|cloud|file|network|system|main|local|remote|backup|home|office|desk|print|printer|build|test|stage|log|login|user|client|root|admin|key|code)s?$/i;
const HYPHEN = /[-‑]/;
/** Names of tools and arguments. */
const IDENTIFIER =
  /^(?:list|get|create|update|delete|search|find|read|write|send|add|remove|set|show|check|run|fetch|open|close)(?:_[a-z]{1,16}){1,3}$|^[a-z]{1,16}_(?:ids?|name|date|type|at|by|from|to|path|url|uri|number|count|limit|size)$/;
const VOWEL = /[aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüý]|[^a-z]/i;
const MAX_WORD = 24;
/** Words such as `OAuth` and `orderId`. Longer ones of both cases may be generated. */
const MAX_MIXED = 11;

/** Tells whether a token that is not a repetition may be shown. */
export function isHarmlessToken(token: string, strictness: Strictness): boolean {
  const core = token.replace(TRIM, "");
  if (core === "" || !/[\p{L}\p{N}]/u.test(core)) return core.length <= 3;
  if (/\d/.test(core)) return isHarmlessNumber(core, strictness);
  if (WORD.test(core)) return isHarmlessWord(core, strictness);
  const parts = core.split(HYPHEN);
  if (/^e[-‑]mails?$/i.test(core)) return true;
  if (parts.length > 1 && parts.every((part) => isPlainWord(part) && !MACHINE.test(part))) return true;
  return (
    core.length <= MAX_WORD && IDENTIFIER.test(core) && (strictness === "values" || core.split("_").every(isPlainWord))
  );
}

function isHarmlessNumber(core: string, strictness: Strictness): boolean {
  const digits = core.replace(/\D/g, "").length;
  if (strictness === "words") return digits <= 3 && (NUMBER.test(core) || UNIT.test(core));
  // As in `Q3` and `v2`.
  if (/^[a-z]\d{1,2}$/i.test(core)) return true;
  return DATE.test(core) || (digits <= 4 && (NUMBER.test(core) || UNIT.test(core)));
}

function isHarmlessWord(core: string, strictness: Strictness): boolean {
  const stem = core.replace(/['’]\p{L}{1,4}$/u, "");
  if (isPlainWord(stem)) return true;
  if (strictness === "words" || stem.length > MAX_WORD) return false;
  if (!REGULAR.test(stem) && (stem.length > MAX_MIXED || stem.split(/(?=\p{Lu})/u).length > 3)) return false;
  return stem.length < 5 || /^\p{Lu}+$/u.test(stem) || VOWEL.test(stem);
}

/** After these a sentence names what was used or what something is, which may be a secret where it is no ordinary word. */
const VALUE_BEFORE = /^(?:with|using|as|is|was|equals|say|says|said|answer|answers|word|try|tried)$/i;
const PARTICIPLE = /^[a-z]{2,16}(?:ed|ing)$/;

/** Tells whether a text with its repetitions replaced says nothing but harmless words. */
export function isHarmlessRest(rest: string, strictness: Strictness): boolean {
  const tokens = rest.split(/\s+/u);
  return tokens.every((token, at) => {
    if (token.search(MARKS) >= 0) return isHarmlessAround(token);
    if (!isHarmlessToken(token, strictness)) return false;
    const before = tokens[at - 1] ?? "";
    const core = token.replace(TRIM, "");
    if (VALUE_BEFORE.test(before) && !isHarmlessToken(token, "words") && !PARTICIPLE.test(core)) return false;
    // What goes on after a repetition may belong to it, like the second word of a name or a path.
    if (before.endsWith(REPEATED)) return goesOn(token);
    if (before.endsWith(COMPLETE) && CAPITALISED.test(core)) return isPlainWord(core);
    // A name within a sentence may be anybody's, or the secret itself.
    const isName = CAPITALISED.test(core) && !isPlainWord(core);
    return !isName || before === "" || /[.!?:]$/.test(before);
  });
}

/** Words that go on with a sentence after a name in it. */
const GOING_ON = new Set(
  (
    "a about after again against already also an and anymore are aren as at because been before but by came can cannot could couldn did didn " +
    "do does doesn don during either for from gave got had hadn has hasn have haven here if in instead into is isn it made may might must never no nor not " +
    "now of off on only onto or out over sent should shouldn since so still than that the then there to today too took twice under until via was wasn went were weren " +
    "when where which while will with within without won would wouldn yet wurde ist hat kann nicht existiert est existe a ne es fue no foi está è non não"
  ).split(" "),
);
/** Verbs that do so in the forms of "expires" and "expired". */
const VERBS =
  /^(?:answer|appl(?:y|ie)|begin|belong|break|change|close|collide|conflict|contain|decline|depend|differ|disallow|end|exceed|exclude|exist|expect|expire|fail|fire|give|happen|hit|hold|include|keep|lack|lead|leave|lie|match(?:e)?|mean|miss(?:e)?|name|need|occur|open|overlap|own|point|produce|reach(?:e)?|refer|refuse|reject|remain|require|resolve|respond|return|seem|select|start|stop|support|take|turn|use|violate|work|yield)s$/;

/** Tells whether the words after a name go on with the sentence, and not with the name. */
export function goesOn(words: string): boolean {
  const [, word = ""] = /^[\s.,;:!?)\]}>–—-]*(.?[\p{L}\p{N}]*)/u.exec(words) ?? [];
  return word === "" || GOING_ON.has(word) || VERBS.test(word) || (/^[a-z]+ed$/.test(word) && isPlainWord(word));
}

function isHarmlessAround(token: string): boolean {
  return token
    .split(MARKS)
    .every((part) => part.split(/[^\p{L}\p{N}]+/u).every((word) => word === "" || isPlainWord(word)));
}

/** Tells whether two repetitions stand next to each other, so that together they may be one secret. */
export function hasNeighbours(rest: string, { marksBetween }: { readonly marksBetween: boolean }): boolean {
  return (marksBetween ? /[\ue000\ue001][^\p{L}\p{N}]*[\ue000\ue001]/u : /[\ue000\ue001]\s*[\ue000\ue001]/u).test(rest);
}
