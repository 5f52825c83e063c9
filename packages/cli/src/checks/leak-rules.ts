// What a failure must not show. The rules of the library hold a text back when in doubt; a finding must be right, so most
// of them are narrowed here.

import { CUT_RULES, type CutRule, isPlaceholder, looksSecret } from "@recourse/core/safety";

/** A rule of the library. Of several with the same id, the last one finds most. */
function libraryRule(id: string, also: (match: RegExpExecArray) => boolean = () => true) {
  const rule = CUT_RULES.findLast((one) => one.id === id);
  if (rule === undefined) throw new Error(`The library has no rule ${id}`);
  return { find: rule, confirm: (match: RegExpExecArray) => rule.confirms(match) && also(match) };
}

/** Frames of stack traces. A word such as "stack trace" is not one. */
export const STACK_LEAKS: readonly TextRule[] = [
  {
    find: /\bat (?:async |new )?[\w$.<>]{1,120}(?: \[as [\w$.]{1,60}\])? \((?:[^()\n]{1,200}:\d{1,6}|<anonymous>|native)\)/,
  },
  { find: /\bat (?:async )?(?:file:\/\/|\/|[A-Za-z]:\\|node:)[^\s()]{1,200}:\d{1,6}:\d{1,6}\b/ },
  { find: /\bTraceback \(most recent call last\)|\bFile "[^"\n]{1,200}", line \d{1,6}, in / },
  { find: /\bat [\w$.<>]{1,200}\([\w$]{1,80}\.(?:java|kt|scala|groovy|clj):\d{1,6}\)/ },
  { find: /\bgoroutine \d{1,9} \[|\.go:\d{1,6} \+0x/ },
  { find: /\bpanicked at ["'\w/.]/ },
  { find: / in [^\n"]{1,200}\.(?:cs|vb|fs):line \d/ },
  { find: /(?:^|\n)#\d{1,3} [^\n]{1,200}\.php\(\d{1,6}\): / },
  { find: /\.rb:\d{1,6}:in [`']/ },
];

/** A password that stands in instructions, not in a configuration. */
const EXAMPLE_PASSWORD = /^(?:pass(?:word|wd)?|pwd|secret|token|key|xx+|\*+|…|user(?:name)?|changeme)$/i;

/** Secrets in a form that nothing else has. What they are is said, and never their value. */
export const CREDENTIAL_LEAKS: readonly (TextRule & { readonly what: string })[] = [
  {
    what: "a password in a URL",
    find: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/?#"'`:@]{0,60}:([^\s/?#"'`:@]{1,60})@/gi,
    confirm: ([, password = ""]) => !isPlaceholder(password) && !EXAMPLE_PASSWORD.test(password),
  },
  { what: "a key", ...libraryRule("credential.key-block") },
  // One part alone may be a cursor.
  { what: "a token", find: /(?<![\w-])eyJ[\w-]{6,400}\.eyJ/ },
  // Names of variables begin alike, but have no part with letters and digits.
  { what: "a token", ...libraryRule("credential.vendor-token", ([token]) => token.split(/[-_.]/).some(isRandomPart)) },
  { what: "a hashed password", ...libraryRule("credential.hash") },
  {
    what: "credentials of a request",
    // Parameters of a challenge have names: `Bearer resource_metadata=`.
    ...libraryRule(
      "credential.scheme",
      ([found, value = ""]) => /^(?:bearer|basic)\s/i.test(found) && !/^[a-z_]{1,40}=/i.test(value),
    ),
  },
  {
    what: "credentials of a request",
    ...libraryRule("credential.header", ([, value = ""]) => looksSecret(value)),
  },
  {
    what: "a secret with its name",
    ...libraryRule("credential.assigned", (match) => isSecretMember(match)),
  },
  {
    what: "a secret with its name",
    ...libraryRule("credential.member", (match) => isSecretMember(match)),
  },
];

function isRandomPart(part: string): boolean {
  return part.length >= 8 && /\d/.test(part) && /[A-Za-z]/.test(part);
}

function isSecretMember([, name = "", value = ""]: RegExpExecArray): boolean {
  return /pass|pwd|secret|token|key|credential/i.test(name) && looksSecret(value);
}

/** Programs and devices that are at the same place on every machine. */
const EVERYWHERE = /^[^/]?\/(?:dev\/(?:null|stdin|stdout|stderr|tty|urandom)|bin\/(?:ba|z)?sh|usr\/bin\/env)\b/;

/** Absolute paths of the server's machine. */
export const PATH_LEAKS: readonly TextRule[] = [
  libraryRule(
    "path.posix",
    ({ 0: found, index, input }) => found !== "" && !EVERYWHERE.test(input.slice(index, index + 40)),
  ),
  libraryRule("path.windows"),
  { find: /\bnode_modules[\\/]\w|\bsite-packages[\\/]\w|\bfile:\/\/\/\w/ },
];

/** The first word of a name such as `.env.local`, which is a file. */
const FILE_WORD = /^(?:env|settings|config|docker-compose|compose|tsconfig|package|index|app)\./i;

/** Addresses and names inside a private network. */
export const NETWORK_LEAKS: readonly TextRule[] = [
  {
    find: /(?<![\d.])(?:10\.\d{1,3}|127\.\d{1,3}|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\.\d{1,3}\.\d{1,3}:\d{2,5}\b/,
  },
  { find: /(?<![\w.-])(?:localhost|\[::1?\]|0\.0\.0\.0):\d{2,5}\b|(?<![\w:])::1:\d{2,5}\b/ },
  {
    find: /(?<![\w./@-])(?:[a-z0-9][a-z0-9-]{0,62}\.){1,6}(?:internal|svc|local|lan|corp|intranet)\b(?![\w-]|\.\w)/gi,
    confirm: ([name]) => !FILE_WORD.test(name),
  },
];

/** Whole statements. Clauses alone also stand in help texts. */
const STATEMENT = /^(?:select|insert|update|delete|drop|alter|create|truncate)\b/i;

/** Words right before a statement that the author gives as help: "Only SELECT …", "Try SELECT …". */
const HELP_BEFORE =
  /\b(?:only|use|try|write|like|with|usage|form|examples?|instead|such as|as in)\b[:\s"'`(,{]{0,8}$|\b(?:usage|examples?):[^\n]{0,60}$/i;
/** Words right behind it: "DELETE FROM … is not allowed". */
const HELP_BEHIND = /^[^.\n]{0,60}\b(?:are|is)(?: not|n't)? (?:allowed|supported|permitted|accepted)\b/i;
/** Names that stand for names of the reader. */
const PLACEHOLDER_NAME = /<\w{1,40}>|\b(?:your|my)_?(?:table|column|schema)|\btable_?name\b|\bcolumn_?\d\b/i;

/** Whether a match is a statement that ran, and not one that a text explains. */
function isStatement({ 0: found, index, input }: RegExpExecArray): boolean {
  const behind = input.slice(index + found.length, index + found.length + 120);
  return (
    STATEMENT.test(found) &&
    !HELP_BEFORE.test(input.slice(Math.max(0, index - 80), index)) &&
    !HELP_BEHIND.test(behind) &&
    !PLACEHOLDER_NAME.test(found + behind.slice(0, 40))
  );
}

/** Statements in SQL. */
export const SQL_LEAKS: readonly TextRule[] = [
  libraryRule("database.statement", isStatement),
  libraryRule("database.statement-lower", isStatement),
];

/** Words of runtimes and drivers, in forms that no author writes. */
export const RUNTIME_LEAKS: readonly TextRule[] = [
  // Authors write this one too.
  {
    find: /\bCannot (?:read propert(?:y|ies)|set propert(?:y|ies)|destructure|access '|invoke "|find module|convert undefined|use 'in' operator)|\bundefined is not\b|\bis not (?:a function|a constructor|iterable)\b|\bobject has no attribute\b|\bNoneType\b|\bunsupported operand|\btakes \d{1,3} positional|\bmissing \d{1,3} required positional|\blist index out of range|\bname '\w{1,60}' is not defined|\bNo module named\b|\bunhashable type|\bundefined (?:local variable|method)|\buninitialized constant|\bfor nil(?::|\b)|\bcannot be cast to\b|\bnil pointer|\bindex out of range \[|\binvalid memory address|\binterface conversion|\b(?:Result|Option)::unwrap|\bunwrap\(\)|\bObject reference not set|\bValue cannot be null|\bSequence contains|\bCall to (?:a member|undefined)|\bUndefined (?:index|variable|array key|offset|property)|\bAllowed memory size|\bno function clause|\bno match of right hand|\bunexpectedly found nil|\bbad_alloc\b|\binvalid literal for int|\bobject at 0x|\bmodule '[\w.]{1,80}' has no|\bJava heap space|\bGC overhead|\bhas no attribute '|\bNullPointer|\bKeyError\b|\battempt to (?:index|call|compare|perform|concatenate)|\b(?:badmatch|badarg|badarith|function_clause|case_clause)\b/gi,
    confirm: ([found]) => found.toLowerCase() !== "value cannot be null",
  },
  {
    find: /\bE(?:CONN(?:REFUSED|RESET|ABORTED)|NOTFOUND|NOENT|ACCES|PERM|PIPE|HOSTUNREACH|HOSTDOWN|NETUNREACH|NETDOWN|AI_\w{2,12}|TIMEDOUT|SOCKETTIMEDOUT|EXIST|MFILE|NFILE|NOSPC|ADDRINUSE|ADDRNOTAVAIL|ISDIR|NOTDIR|NOTEMPTY|BUSY|ROFS|XDEV|LOOP|PROTO|BADF|NOMEM|FAULT|SRCH|CHILD|DQUOT|STALE|SOCKET|AUTH|TLS|DNS)\b|\bUND_ERR_\w|\bERR_(?:TLS|SSL|HTTP2|SOCKET|MODULE|INVALID|STREAM|OSSL|NETWORK|CONNECTION|CERT|NAME)_\w|\b(?:WSA|HRESULT|errno|Errno|NTSTATUS)\b[\s:=]{0,2}[-\w]?\d|\[Errno|\bos error \d|\b0x8[0-9A-F]{7}\b/,
  },
  {
    find: /\bconnection refused\b|\bconnection (?:was )?(?:forcibly closed|reset by peer)|\bbroken pipe\b|\bno route to host|\bnetwork is unreachable|\bname or service not known|\btemporary failure in name resolution|\bnodename nor servname|\bno such host\b|\bdial (?:tcp|udp|unix)\b|\bread (?:tcp|udp) |\bi\/o timeout|\bsocket hang up|\bgetaddrinfo\b|\bgethostbyname|\baddress already in use|\bupstream (?:connect error|prematurely closed|sent|timed out \()|\bwhile reading response header|\bupstream: "|\berror while dialing|\brpc error: code|\bStatusCode\.[A-Z]|^\s{0,4}\d{1,2} [A-Z_]{5,20}: |\bgrpc[-_]status\b|\bHTTPS?ConnectionPool\b|\bMax retries exceeded with|\bNewConnectionError|\bserver closed the connection|\bno resolver|\bcould not resolve host|\bcURL error|\bcurl: \(\d|\bactively refused|\bconnect(?:ion)? timed out after|\bremote end closed|\bERR_CONNECTION|\bNXDOMAIN\b|\bSERVFAIL\b|\bdisconnect\/reset before headers|\bno healthy upstream/i,
  },
  { find: /\bfetch failed\b|\bCommand failed: |\bspawn [\w./-]{1,100} E[A-Z]{3}|\bno such file or directory\b/ },
  // What V8 says about broken JSON, as a whole: "is not valid JSON" alone may be a sentence of the author.
  {
    find: /\bUnexpected (?:token|end|string|number|non-whitespace)\b/g,
    confirm: ({ input, index }) => input.slice(index, index + 150).includes("JSON"),
  },
  { find: /\bin JSON at position \d|\bUnterminated string in JSON\b/ },
  { find: /\bsyntax error at or near\b|\bSQLSTATE\b|\bORA-\d{5}\b|\bSQLITE_[A-Z]{4}|\bER_[A-Z]{3,20}_|\bE11000\b/ },
];

/** Texts of runtimes and databases that show, in a short result, that a call failed. */
export const HIDDEN_FAILURE_TEXTS: readonly TextRule[] = [
  ...RUNTIME_LEAKS,
  {
    find: /\bno such (?:table|column)\b|\b(?:relation|table|column) ["'`]?[\w.]{1,80}["'`]? (?:does not|doesn't) exist\b/i,
  },
];

/** What to look for in a text. */
export interface TextRule {
  /** Linear on any text: the tests prove it. */
  readonly find: RegExp | CutRule;
  /** Decides on one match if the pattern alone is not enough. A pattern has to be global then. */
  readonly confirm?: ((match: RegExpExecArray) => boolean) | undefined;
}

/** Options of `firstMatch`. */
interface MatchOptions {
  /** Whether a match counts. `word` is the match up to the next space or quotation mark. */
  readonly counts?: (word: string) => boolean;
}

/** Rules read so much of a text at once, and each part overlaps the one before it. */
const RULE_WINDOW = 4096;
const RULE_OVERLAP = 512;
/** A rule that is tried more often than this on one part is not tried any further. */
const MAX_MATCH_TRIES = 300;

/** The first match of any rule in a text that is not given as an example, with the rest of the word that it begins. */
export function firstRuleMatch(
  rules: readonly TextRule[],
  text: string,
  { counts = () => true }: MatchOptions = {},
): string | undefined {
  for (let from = 0; from === 0 || from + RULE_OVERLAP < text.length; from += RULE_WINDOW - RULE_OVERLAP) {
    const part = text.slice(from, from + RULE_WINDOW);
    for (const rule of rules) {
      const found = matchIn(part, rule, counts);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function matchIn(part: string, { find, confirm }: TextRule, counts: (word: string) => boolean): string | undefined {
  let tries = 0;
  for (const match of matchesOf(find, part)) {
    tries += 1;
    if (tries > MAX_MATCH_TRIES) return undefined;
    const end = match.index + match[0].length;
    const word = match[0].replace(CONTEXT_BEFORE, "") + (REST_OF_WORD.exec(part.slice(end, end + 200))?.[0] ?? "");
    const isExample = EXAMPLE_WORDS.test(part.slice(Math.max(0, match.index - 40), match.index));
    if (!isExample && (confirm?.(match) ?? true) && counts(word)) return word;
  }
  return undefined;
}

function* matchesOf(find: RegExp | CutRule, part: string): Iterable<RegExpExecArray> {
  if (find instanceof RegExp)
    return yield* part.matchAll(new RegExp(find, find.global ? find.flags : `${find.flags}g`));
  for (let match = find.next(part, 0); match !== null; match = find.next(part, find.valueIn(match).end)) yield match;
}

/** What a rule of the library needs before what it finds. */
const CONTEXT_BEFORE = /^[\s"'`(=,<>[{]/;

/** What follows these words is made up. */
const EXAMPLE_WORDS = /\b(?:e\.g\.|i\.e\.|such as|for example|for instance|example:)[\s,:"'`(]{0,5}(?:https?:\/\/)?$/i;

const REST_OF_WORD = /^[^\s"'`<>(),;]+/;
