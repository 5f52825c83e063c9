import type { PatternRule } from "./rule.ts";
import { isAssigned, looksSecret } from "./values.ts";

/** Secrets that follow a name such as `password`, in any notation for a name and its value. */
export const ASSIGNED_SECRET_RULES = [
  {
    id: "credential.assigned",
    find: /(?<![A-Za-z0-9])([\w.-]{0,40}?(?:passw(?:or)?d|passwd|pwd|passphrase|passcode|pass|secret|token|api[_-]?key|apikey|(?:access|account|auth|private|secret|signing|encryption|master|shared|license|client|service|storage|session|deploy|ssh|host|webhook|sas|crypt)[_-]?key|credentials?|creds?|signature|sig|session(?:_?id)?|sid|csrf|xsrf|otp|totp|pin|cvv|cvc|jwt|bearer|auth|salt|dsn|connection[_-]?string|conn[_-]?str|kennwort|passwort|contrase.a|senha|wachtwoord|mot[_-]de[_-]passe|database_url|redis_url|mongo(?:db)?_ur[il]|amqp_url|sentry_dsn)["']?\]?)\s{0,2}(?:=>|:=|={1,2})\s{0,2}\\?["'`]?([^\s"'`,;&<>\\]{3,})/gi,
    confirm: (match) => isSecretName(match[1] ?? "") && isAssigned(match[2] ?? ""),
  },
  {
    id: "credential.member",
    find: /["']([\w.-]{0,40}?(?:pass|pwd|secret|token|key|credential|creds?|signature|session|sid|csrf|otp|pin|cvv|cvc|jwt|bearer|auth|authorization|salt|hash|dsn|cookie)[\w-]{0,20})["']\s{0,4}:\s{0,4}["']([^"'\s]{3,})/gi,
    confirm: (match) => isSecretName(match[1] ?? "") && isAssigned(match[2] ?? "", 4),
  },
  {
    id: "credential.labelled",
    find: /((?:passw(?:or)?d|passwd|pwd|passphrase|passcode|secret|token|api[ _-]?key|(?:access|account|auth|private|secret|signing|encryption|master|shared|license|client|session|deploy|host|recovery|backup|verification|security|one-time|login|access)[ _-]?(?:key|code)|credentials?|signature|otp|pin|cvv|cvc|jwt|kennwort|passwort|contrase.a|senha|wachtwoord|mot de passe|parola))["']?(?:\s{0,2}[:：]\s{0,3}|\s(?:is|was|are|equals|ist|war|est|es|è|é|to|of|used|value|provided|received|got|sent|supplied|given)\s(?:now\s|currently\s|set to\s|:\s?)?|是|は|는|\s{1,2}["'“(]?)["'`“«(]?([^\s"'`”»,;)<>]{4,})(?=(\s[a-z])?)/gi,
    confirm: (match) =>
      isSecretName(wholeName(match)) && isLabelledValue(match[0], match[2] ?? "", match[3] === undefined),
  },
  {
    id: "credential.labelled-foreign",
    find: /(hasło|lösenord|şifre|пароль|токен|ключ|密码|密碼|口令|令牌|密钥|パスワード|トークン|비밀번호|토큰|كلمة المرور|סיסמה|รหัสผ่าน|mật khẩu)(?:[^\p{L}\p{N}]{0,3}(?:是|は|는|은|เป็น|là|to|jest|är)?\s?|\s(?:is\s)?)["'`“«「(:：]{0,2}([!-~]{4,})/giu,
    confirm: (match) => looksSecret(match[2] ?? "", 6) || /^\d{6,}/.test(match[2] ?? ""),
  },
  {
    id: "credential.prose",
    find: /(?<![\w/-])(?:pass|pw|psw)(?:[:=]\s{0,2}|\s(?:(?:(?:of|for)(?:\s[\w.@-]{1,30}){1,3}\s)?(?:is|was)\s)?)["'`“«(]?([^\s"'`”»,;)<>]{4,64})/gi,
    confirm: isPasswordAfter,
  },
  {
    id: "credential.flag",
    find: /(?<![\w-])--?(?:p|pass\w{0,12}|pwd|token|secret|api-?key|access-?key|auth\w{0,10}|credential\w{0,3}|client-?secret|private-?key|requirepass)(?:[= ]\s?|(?=['"]))["']?([^\s"'<>]{3,})/gi,
    confirm: (match) => looksSecret(match[1] ?? "", 4) || (/=["']?/.test(match[0]) && isAssigned(match[1] ?? "")),
  },
  {
    id: "credential.command",
    find: /\b(?:mysql\w{0,8}|mariadb|psql|mongo\w{0,8}|redis-cli|sshpass|ldapsearch|curl|smbclient|sqlcmd|sqlplus|kinit|openssl|docker login|htpasswd)\b[^|]{0,120}?\s-(?:p|a|w|u|P|U)\s?["']?[^\s"'-][^\s"']{3,}/,
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
const ACCOUNT = /\b(?:user(?:name)?|login|account|uid|usr)[ =:]{1,2}["']?[\w.@-]{2,30}["']?(?:\s?[,;/]|\sand)?\s$/i;
const PARAMETER =
  /^[a-z]+(?:[A-Z][a-z]*)*\d?$|[_.(){}[\]/\\]|^(?:u?int|float|double|utf|sha|md|base|arg|line|phase|step|v|http|h|x|ipv)\d+\w{0,4}$/;

const REFUSED = /^["'`”»),]{0,2}\s(?:(?:is|was|not)\s){0,2}(?:refused|rejected|denied|wrong|leaked|accepted|reset)\b/i;

/** Whether a word after `pass` or `pw` is a password. Most words after `pass` are not. */
function isPasswordAfter({ 0: whole, 1: given = "", index, input }: RegExpExecArray): boolean {
  const before = input.slice(Math.max(0, index - 48), index);
  const value = given.replace(/[.,;:!?)\]}"'`]{1,4}$/, "");
  if (value.length < 4 || /^\w{1,20}=/.test(value)) return false;
  if (ACCOUNT.test(before)) return isAssigned(value, 4) && /\d|^\p{Lu}|[!#$%^&*?~@+]/u.test(value);
  // `pw` is no word of a sentence.
  const isWord = /^pass\b/i.test(whole);
  if (isWord && OTHER_PASS.test(before)) return false;
  if (isWord && PARAMETER.test(value) && !REFUSED.test(input.slice(index + whole.length, index + whole.length + 40))) {
    return false;
  }
  return /\p{Ll}/u.test(value) && /[\d!#$%^&*?~@+]/.test(value) && looksSecret(value, 4);
}
