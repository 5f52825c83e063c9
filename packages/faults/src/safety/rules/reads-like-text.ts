/** Titles of three hundred characters are rare, and so are errors that are longer. */
const LONG = 300;

/** Two lines, JSON, markup, or a list of settings. */
const DUMP =
  /[\r\n]|^\s{0,9}[[{]\s{0,9}["'{[]|<(?:[!/?]|html|body|head|h\d|pre|p>|div|error)|(?:\b\w{1,20}=[^\s;&=]{1,60}[;\s] ?){2}\w{1,20}=\S|\bselect\b.{1,99}\bfrom\b|\b(?:insert into|delete from)\b/i;

/** Codes and names that programs put into errors. */
const CODE =
  /\bE(?:CONN|NO(?:ENT|TFOUND|SPC|MEM|TDIR)|ACCES|PERM|PIPE|HOST|NETUN|TIMEDOUT|EXIST|MFILE|ADDR|ISDIR|BUSY|AI_|SOCKET)[A-Z_]{0,12}\b|\bERR_\w|(?:Error|Exception)\b(?=:|\(|$)|\b(?:error|exception|fatal|panic|warning|undefined)\s?:|^\d{1,2} [A-Z_]{5,20}: |\bat (?:async )?\S{1,60} ?\(|\.(?:[jt]sx?|py|rb|php|go|java|kt|cs)(?::\d|\(\d)|", line \d|\bSQLSTATE|\bORA-\d|\bgetaddrinfo\b|\b(?:errno|code) ?[(=:]? ?\d|\b[45]\d\d (?:internal|bad|service|not|gateway|forbidden|unauthori)/i;

/** What went wrong, in the words of errors. One such word alone is a state, such as `expired`. */
const FAILURE =
  /\S[\s:](?:fail(?:ed|ure|s)|denied|refused|rejected|exceeded|expired|timed out|timeout|not (?:found|exist|valid|allowed|supported|permitted|defined|available|authorized|a function)|hang up|closed|aborted|violat|exists?\b(?=$|[.,:])|unavailable|terminated|panicked|fehlgeschlagen|refusée|échoué|falló)|n'existe|не найден|不存在|ません|없습니다|\b(?:fail(?:ed|ure) to|cannot|can['’]t|(?:could|does|did|is|are|was)(?: not|n['’]t)|unable to|(?:is|are|was|been) \w{1,20}(?:ed|en)|must (?:be|have|not|match)|no such|invalid \S{1,30} \S{1,30}|unexpected \w+|unknown (?:column|error|host|option|command|field)|missing (?:required|\S{1,30} (?:in|for|from))|duplicate (?:key|entry|value)|timeout (?:of|after|while)|too many|out of (?:memory|range|disk)|no (?:connection|route|space|response)|expected \S.{0,50} (?:got|but|received)|already (?:exists|in use)|syntax error|not accessible|connection \w+)\b/i;

/** One sentence with its full stop, or two. */
const SENTENCE = /[a-z)][.!] [A-Z][a-z]{1,20} [a-z]{1,20} |。/;
const WORDS = / [a-z]{1,20} [a-z]/;
const FULL_STOP = /[\w`][.!]$/;
const ORDER =
  /\b(?:ignore|disregard|forget)\b.{1,50}\b(?:instructions?|rules|above|previous)\b|^(?:please|you (?:must|are|should|need|have)) /i;

/**
 * Tells whether a value that an author interpolated reads like a sentence, an error or a dump, as `error.message` does,
 * and not like a name, an id, a title or a label.
 */
export function readsLikeText(value: string): boolean {
  if (value.length > LONG || (WORDS.test(value) && FULL_STOP.test(value))) return true;
  return [DUMP, CODE, FAILURE, SENTENCE, ORDER].some((pattern) => pattern.test(value));
}
