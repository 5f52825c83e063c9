// All rules about what is cut out of a text that somebody wrote for a caller.

import { HOST_RULES, PATH_RULES, URL_RULES } from "./addresses.ts";
import { AUTHORED_RULES } from "./authored.ts";
import { ASSIGNED_SECRET_RULES, CREDENTIAL_RULES, isAssigned, looksSecret } from "./credentials.ts";
import { PERSONAL_RULES } from "./personal.ts";
import { type CutRule, type PatternRule, toCutRule } from "./rule.ts";

const DATABASE_RULES = [
  {
    id: "database.statement",
    cut: { to: "statement" },
    find: /\bSELECT\s[^;]{1,120}\sFROM\s["'`[\w]|\bINSERT INTO\s\S|\bUPDATE\s[\w."`[\]]{1,80}\sSET\s|\bDELETE FROM\s["'`[\w]|\b(?:DROP|ALTER|CREATE|TRUNCATE|LOCK)\s(?:TABLE|INDEX|VIEW|DATABASE|SCHEMA|FUNCTION|TRIGGER|ROLE|USER|SEQUENCE)\s["'`[\w]|\b(?:LEFT|INNER|RIGHT|OUTER|CROSS) JOIN\b|\bWHERE\s["'`(\w.]{1,60}\s?(?:=|<|>|IN\b|LIKE\b|IS\b)|\bORDER BY\s\S{1,60}\s(?:ASC|DESC)\b|\bGROUP BY\s\w|\bVALUES\s?\(|\bUNION (?:ALL )?SELECT|\bLIMIT \d{1,9} OFFSET|\bGRANT \w{3,12} ON\b/,
  },
  {
    id: "database.statement-lower",
    cut: { to: "statement" },
    find: /\bselect\s(?:\*|[\w."`]{1,60}(?:\s?,\s?[\w."`*]{1,60}){1,20}|count\([^)]{0,40}\))\sfrom\s["'`\w]|\bselect\s[\w.*, "`]{1,120}\sfrom\s[\w."`]{1,60}\swhere\s|\binsert into\s[\w."`]{1,60}\s?\(|\bupdate\s[\w."`]{1,60}\sset\s[\w."`]{1,60}\s?=|\bdelete from\s[\w."`]{1,60}\swhere\b|\bwhere\s[\w.]{1,60}\s?=\s?(?:'|\$\d|\?|:\w|%s)|\bdrop table\s\w/i,
  },
] as const satisfies readonly PatternRule[];

const PROVIDER_RULES = [
  {
    id: "provider.arn",
    cut: { to: "token" },
    find: /\barn:[a-z-]{2,20}:|\b(?:acs|crn|ocid1\.|urn:(?:ibm|ocid)):[a-z0-9]/i,
  },
  {
    id: "provider.resource",
    cut: { to: "token" },
    find: /\b(?:projects|organizations|folders|billingAccounts|tenants)\/(?![{<:])[\w.:-]{2,}\/\w|\/subscriptions\/[0-9a-f-]{4}|\bresourceGroups\/|\bproviders\/Microsoft\.|\bzones\/[a-z]{2,}-[a-z]+\d|\blocations\/[a-z0-9-]{4,30}\/\w|\bserviceAccounts\/|\bsecrets\/[\w-]{1,80}\/versions|\/aws\/(?:lambda|ecs|rds)\/|\blog-group:|\bs3:\/\//,
  },
] as const satisfies readonly PatternRule[];

/** How a password is called. The words of languages without spaces need no space after them. */
const PASSWORD_NOUN =
  "pass(?:word|wd|phrase|code|wort)|pwd|kennwort|senha|palavra-passe|contrase(?:ñ|n)a|clave|lösenord(?:et)?|passord(?:et)?|adgangskode[nr]?|salasana|wachtwoord|mot de passe|hasło|heslo|jelszó|parol[aă]|parola d'ordine|şifre(?:si)?|пароль|लॉगिन पासवर्ड|पासवर्ड|密码|密碼|パスワード|비밀번호";
const SECRET_NOUN = `${PASSWORD_NOUN}|(?:api|access|client|shared|signing|secret) (?:key|token|secret)|secret|token|passkey`;
const COPULA =
  "is|was|be|ist|war|lautet|lautete|è|era|é|es|est|était|är|var|er|on|jest|to|is now|now|set to|gesetzt auf|wurde|wird|है|था";

/** An address is no password, even if a sentence says that the password is there. A name with its value has other rules. */
const NOT_A_SECRET = /^(?:https?:|www\.|\/|\.{1,2}\/|[\w-]{1,40}=[^=])/i;

/** The check of the other rules knows Latin letters only. */
const LETTERS_AND_DIGITS = /[^\P{L}A-Za-z]\d|\d[^\P{L}A-Za-z]/u;

/** It takes a letter and a digit before a word for the name of a version or a format. */
const ONE_DIGIT = /^[a-z]\d[a-z]{6,}$/i;

function isSecretValue({ 1: value = "" }: RegExpExecArray): boolean {
  return (
    !NOT_A_SECRET.test(value) && (looksSecret(value, 5) || LETTERS_AND_DIGITS.test(value) || ONE_DIGIT.test(value))
  );
}

const ACCOUNT_WORD =
  /\b(?:user(?:name)?s?|log(?:in|ged|on)|account|credential|sign(?:ed)? in|auth\w{0,16}|password|connect\w{0,4}|svc|admin|root|service|nutzer|konto|utente|usuario|compte|conta)\b/i;

/** Programs that take a password as an option of one letter. */
const COMMAND =
  /\b(?:mysql\w{0,8}|mariadb\w{0,8}|psql|mongo\w{0,8}|redis-cli|sshpass|ldap\w{3,8}|smbclient|sqlcmd|sqlplus|docker login)\b/;

/** The part of a line before a place, without other commands of a pipe. */
function commandBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 200), at);
  return before.slice(Math.max(before.lastIndexOf("|"), before.lastIndexOf("\n")) + 1);
}

const LABEL_RULES = [
  {
    id: "credential.distant",
    cut: { to: "value", groups: [1] },
    find: new RegExp(
      `(?<![\\p{L}\\p{N}_-])(?:${SECRET_NOUN})s?(?:\\s[^\\s;:!?]{0,31}[^\\s.;:!?]){0,8}?(?:\\s(?:${COPULA})|\\s?[:=])\\s{1,3}["'\`“„«(]?\\s?([^\\s"'\`”“»,;)<>]{5,128})`,
      "giu",
    ),
    confirm: isSecretValue,
  },
  {
    id: "credential.passphrase",
    cut: { to: "value", groups: [1] },
    find: /\b(?:passphrase|recovery phrase|seed phrase|mnemonic)\s(?:[a-z]{2,8}\s){0,2}["'“]([a-z]{2,16}(?:[ -][a-z]{2,16}){2,23})["'”]/gi,
  },
  {
    id: "credential.foreign",
    cut: { to: "value", groups: [1] },
    find: new RegExp(
      `(?<![\\p{L}\\p{N}_-])(?:${PASSWORD_NOUN})(?:[^\\p{L}\\p{N}]{1,3}|\\s(?:${COPULA})\\s)["'\`“«(]?([^\\s"'\`”»,;)<>]{5,128})`,
      "giu",
    ),
    confirm: isSecretValue,
  },
  {
    id: "credential.identified",
    cut: { to: "value", groups: [1] },
    find: /\b(?:identified (?:by|with \w{1,40} (?:by|as))|(?:with|encrypted) password)\s{1,3}['"]([^'"\n]{3,128})/gi,
  },
  {
    id: "credential.pair",
    cut: { to: "value", groups: [1] },
    find: /(?<![\w/.:-])[\w.@+-]{2,40}\s?\/\s([^\s"'`,;()<>/]{6,64})/g,
    confirm: ({ 0: pair, 1: value = "", index, input }) =>
      ACCOUNT_WORD.test(input.slice(Math.max(0, index - 60), index) + pair.slice(0, -value.length)) &&
      looksSecret(value),
  },
  {
    id: "credential.fields",
    cut: { to: "value", groups: [1] },
    find: /(?<![\w:/.*-])[\w.*-]{1,80}:(?:\d{2,5}|\*):[\w*-]{1,60}:[\w*.-]{1,60}:([^\s:"'`]{3,128})/g,
  },
  {
    id: "credential.auth",
    cut: { to: "value", groups: [1] },
    find: /\bAUTH\s{1,2}(?:[\w.-]{1,40}\s{1,2})?(?=\S{0,60}\d)([^\s"'`]{8,128})/g,
    confirm: isSecretValue,
  },
  {
    id: "credential.one-time",
    cut: { to: "match", groups: [1] },
    find: /\b(?:one-time|verification|security|confirmation|login|sms|2fa|otp)\s(?:code|pin|password)\s(?:is\s|was\s)?(\d{3}[ -]?\d{3,5})\b/gi,
  },
  {
    id: "credential.option",
    cut: { to: "value", groups: [1] },
    find: /(?<![\w-])-(?:p|a|w|P)\s?["']?([^\s"'-][^\s"']{3,60})/g,
    confirm: ({ 1: value = "", index, input }) => /[^\d.]/.test(value) && COMMAND.test(commandBefore(input, index)),
  },
  {
    id: "credential.pair-option",
    cut: { to: "value", groups: [1] },
    find: /(?<![\w-])-(?:u|U)\s?["']?([^\s"':-][^\s"':]{0,60}:[^\s"'/][^\s"']{2,60})/g,
  },
] as const satisfies readonly PatternRule[];

const SOURCES: readonly (readonly PatternRule[])[] = [
  AUTHORED_RULES,
  CREDENTIAL_RULES,
  ASSIGNED_SECRET_RULES,
  LABEL_RULES,
  URL_RULES,
  PROVIDER_RULES,
  HOST_RULES,
  PATH_RULES,
  PERSONAL_RULES,
  DATABASE_RULES,
];

/** All rules whose matches are cut. */
export const CUT_RULES: readonly CutRule[] = /* @__PURE__ */ SOURCES.flat().map((rule) =>
  toCutRule(rule.id === "credential.labelled" ? { ...rule, confirm: labelledConfirm(rule) } : rule),
);

const FOREIGN_LABEL = /^(?:kennwort|passwort|contrase.a|senha|wachtwoord|mot de passe|parola)/i;

/** A plain word after a verb is a state of the password, such as `expired`: in English the rule knows these words. */
function labelledConfirm({ confirm }: PatternRule): NonNullable<PatternRule["confirm"]> {
  return (match) => {
    const [whole, label = "", value = ""] = match;
    const isState = FOREIGN_LABEL.test(label) && !whole.includes(":") && /^\p{L}+\W?$/u.test(value);
    return !isState && confirm?.(match) === true;
  };
}

const SECRET_HEADING = /* @__PURE__ */ new RegExp(
  `^(?:${PASSWORD_NOUN}|secret|token|api[ _-]?key|access[ _-]?key|private[ _-]?key)$`,
  "iu",
);
const SEPARATORS = ["|", "\t", ",", ";"] as const;
const RULER = /^[\s|:+=-]*$/;

/** Where the cells of columns stand that are headed by the name of a secret. */
export function secretCells(text: string): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  let heading: { separator: string; columns: readonly number[]; count: number } | undefined;
  let start = 0;
  for (const line of text.split("\n")) {
    const found = headingOf(line);
    if (found !== undefined) heading = found;
    else if (heading !== undefined && !RULER.test(line)) {
      const cells = line.split(heading.separator);
      if (cells.length !== heading.count) heading = undefined;
      else spans.push(...heading.columns.flatMap((column) => cellSpan(cells, column, start)));
    }
    start += line.length + 1;
  }
  return spans;
}

function headingOf(line: string) {
  for (const separator of SEPARATORS) {
    const cells = line.split(separator);
    const columns = cells.flatMap((cell, at) =>
      SECRET_HEADING.test(cell.trim().replaceAll(/["'*]/g, "")) ? [at] : [],
    );
    if (cells.length > 1 && columns.length > 0) return { separator, columns, count: cells.length };
  }
  return undefined;
}

function cellSpan(cells: readonly string[], column: number, lineStart: number) {
  const cell = cells[column] ?? "";
  const value = cell.trim();
  if (!isAssigned(value, 2)) return [];
  const before = cells.slice(0, column).reduce((sum, one) => sum + one.length + 1, 0);
  const start = lineStart + before + cell.indexOf(value);
  return [{ start, end: start + value.length }];
}
