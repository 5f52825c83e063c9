import { isPlainWord } from "./plain-words.ts";

// A removed text hides more than the match that removed it. So before a text is shown because its matches repeat the caller,
// what it says besides must be harmless by a test that is much stricter than the rules.

/** Stands for a part of a text that repeats the caller. */
export const REPEATED = "\ue000";

/** How strict the test is. `words` demands that all words are ordinary ones. */
export type Strictness = "values" | "words";

/** Names of secrets. What stands near one may be the secret, also where it is an ordinary word. */
const SECRET_NAME =
  /pass(?!ed|es|ing|age|eng|ive|port\b)\w{0,12}|pwd|secret|token|credential|(?:api|access|private|auth|signing|encryption|master|client|ssh|recovery|license)[ _-]?(?:key|code)|\b(?:pin|otp|totp|cvv|cvc|jwt|bearer|auth|authorization|dsn|salt|parola)\b|kennwort|passwort|contrase|senha|wachtwoord|mot de passe|hasło|lösenord|şifre|парол|токен|密码|密碼|口令|令牌|密钥|パスワード|トークン|비밀번호|토큰|كلمة المرور|סיסמה|รหัสผ่าน|mật khẩu/i;

/** Tells whether a text names a secret. */
export function namesSecret(text: string): boolean {
  return SECRET_NAME.test(text);
}

const MARKS = "\"'`()[\\]{}<>«»“”‘’„‚「」『』.,;:!?…";
const TRIM = new RegExp(`^[${MARKS}#*–—-]+|[${MARKS}*–—-]+$`, "gu");
const NUMBER = /^[+-]?\d{1,4}(?:[.,:]\d{1,3}){0,2}%?$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const UNIT = /^\d{1,4}(?:ms|[smhdx%]|[kmgt]i?b|px|st|nd|rd|th)$/i;
const WORD = /^\p{L}[\p{L}\p{M}]*(?:['’]\p{L}{1,4})?$/u;
const REGULAR = /^\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+$|^\p{Lu}{1,6}s?$/u;
const CAPITALISED = /^\p{Lu}\p{Ll}+$/u;
/** Words with a hyphen. Others, such as `mail-gateway`, may be the names of machines. */
const COMPOUND =
  /^(?:e|re|non|pre|co|multi|sub)[-‑]\p{Ll}+$|^\p{L}+[-‑](?:only|in|out|up|down|off|on|to|time|day|case)$/iu;
/** Names of tools and arguments. */
const IDENTIFIER =
  /^(?:list|get|create|update|delete|search|find|read|write|send|add|remove|set|show|check|run|fetch|open|close)(?:_[a-z]{1,16}){1,3}$|^[a-z]{1,16}_(?:ids?|name|date|type|at|by|from|to|path|url|uri|number|count|limit|size)$/;
const VOWEL = /[aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüý]|[^a-z]/i;
const MAX_WORD = 24;

/** Tells whether a token that is not a repetition may be shown. */
export function isHarmlessToken(token: string, strictness: Strictness): boolean {
  const core = token.replace(TRIM, "");
  if (core === "" || !/[\p{L}\p{N}]/u.test(core)) return core.length <= 3;
  if (/\d/.test(core)) return isHarmlessNumber(core, strictness);
  if (WORD.test(core)) return isHarmlessWord(core, strictness);
  if (COMPOUND.test(core) && core.split(/[-‑]/).every(isPlainWord)) return true;
  return strictness === "values" && core.length <= MAX_WORD && IDENTIFIER.test(core);
}

function isHarmlessNumber(core: string, strictness: Strictness): boolean {
  const digits = core.replace(/\D/g, "").length;
  if (strictness === "words") return digits <= 3 && (NUMBER.test(core) || UNIT.test(core));
  return DATE.test(core) || (digits <= 4 && (NUMBER.test(core) || UNIT.test(core)));
}

function isHarmlessWord(core: string, strictness: Strictness): boolean {
  const stem = core.replace(/['’]\p{L}{1,4}$/u, "");
  if (isPlainWord(stem)) return true;
  if (strictness === "words" || stem.length > MAX_WORD) return false;
  if (!REGULAR.test(stem) && !stem.split(/(?=\p{Lu})/u).every(isPlainWord)) return false;
  return stem.length < 5 || /^\p{Lu}+$/u.test(stem) || VOWEL.test(stem);
}

/** Tells whether a text with its repetitions replaced says nothing but harmless words. */
export function isHarmlessRest(rest: string, strictness: Strictness): boolean {
  const tokens = rest.split(/\s+/u);
  return tokens.every((token, at) => {
    if (token.includes(REPEATED)) return isHarmlessAround(token);
    if (!isHarmlessToken(token, strictness)) return false;
    const before = tokens[at - 1] ?? "";
    const core = token.replace(TRIM, "");
    // What goes on after a repetition may belong to it, like the second word of a name or a path.
    if (before.endsWith(REPEATED)) return goesOn(core);
    if (!WORD.test(core) || isPlainWord(core)) return true;
    // Two names in a row are the name of a person.
    const name = before.replace(TRIM, "");
    return !(CAPITALISED.test(core) && CAPITALISED.test(name) && !isPlainWord(name) && !/[.!?:]$/.test(before));
  });
}

/** Words that go on with a sentence after a name in it. */
const GOING_ON = new Set(
  (
    "aren couldn didn doesn don hadn hasn haven isn shouldn wasn weren won wouldn a about after again against already also an and are as at because been before belongs but by came can cannot conflicts contains could did does " +
    "during ends exists expects for from gave had has have holds if in into is it lacks matches may might must names needs never no nor not of off " +
    "on only or out over overlaps points refers requires returns sent should since so starts still takes that than the then to took under until uses " +
    "via was were when where which while will with within without would yet"
  ).split(" "),
);

function goesOn(core: string): boolean {
  const [stem = ""] = core.split(/['’]/u);
  return core === "" || GOING_ON.has(stem) || (/^[a-z]+ed$/.test(core) && isPlainWord(core));
}

function isHarmlessAround(token: string): boolean {
  return token
    .split(REPEATED)
    .every((part) => part.split(/[^\p{L}\p{N}]+/u).every((word) => word === "" || isPlainWord(word)));
}

/** Tells whether two repetitions stand next to each other, so that together they may be one secret. */
export function hasNeighbours(rest: string, { marksBetween }: { readonly marksBetween: boolean }): boolean {
  return (marksBetween ? /\ue000[^\p{L}\p{N}\ue000]*\ue000/u : /\ue000\s*\ue000/u).test(rest);
}
