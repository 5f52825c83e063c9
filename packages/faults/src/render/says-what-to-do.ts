// Whether a message itself says what to do, so that no move of ours may repeat or contradict it.

/** Verbs that are not nouns too. What they act on may be any word. */
const CLEAR_VERBS =
  "ask|avoid|choose|do not|don't|ensure|log in|make sure|please|provide|sign in|specify|try|use|verify|wait";

/** What these words mean as nouns: `Use of the export is not allowed`, `Sign in failed`. */
const NOT_CLEAR = "of|case|count|failed|has|is|list|note|price|time|was";

/** Verbs that are nouns too: `Call 7 has ended`. What they act on has to show which they are. */
const VERBS_OR_NOUNS =
  "add|call|change|check|close|contact|correct|create|delete|enter|fetch|fix|get|give|include|list|look|omit|open|" +
  "pass|pick|read|reconnect|reduce|remove|repeat|replace|request|restart|retry|run|search|select|send|set|shorten|" +
  "split|start|stop|supply|update";

/** Words that no noun is followed by. */
const OBJECT_WORDS =
  "a|after|again|all|an|another|any|before|each|fewer|first|if|instead|it|its|later|less|more|one|out|" +
  "support|that|the|these|this|those|until|up|whether|your";

/** A name of a tool or a value, followed by what only stands behind an object: `"list_orders" first`, `list_orders.` */
const NAMED_OBJECT = `(?:["'\`“][^"'\`”]{1,80}["'\`”]|\\w+[_.]\\w+|\\w+\\(\\))(?:[.,;:!)]|$| (?:after|and|before|first|for|in|instead|or|to|until|with)\\b)`;

/** Where a sentence or its main clause begins. */
const SENTENCE_START =
  "(?:^|[.!?;:…] | [–—-] |, (?:but |so |then )?)" +
  "(?:(?:If|To|When|Before|For|Unless) [^.,;:!?]{1,120}, )?" +
  "(?:(?:First|Instead|Otherwise|Then),? |[Yy]ou (?:can|could|have to|may|must|need to|should) )?(?:first |then )?";

const SAYS_WHAT_TO_DO = new RegExp(
  `${SENTENCE_START}(?:(?:${anyCase(CLEAR_VERBS)}) (?!(?:${NOT_CLEAR})\\b)|` +
    `(?:${anyCase(VERBS_OR_NOUNS)}) (?:(?:${OBJECT_WORDS})\\b|${NAMED_OBJECT}|\\w+ (?:again|first|instead)\\b))`,
);

/** Words whose first letter may be a capital one. */
function anyCase(words: string): string {
  return words.replace(
    /(^|\|)(\w)/g,
    (_, before: string, first: string) => `${before}[${first}${first.toUpperCase()}]`,
  );
}

/**
 * Whether a sentence of a message tells the reader what to do: `Call list_orders first.` It knows English only. A sentence
 * that it does not know has our move behind it, which costs words and harms nothing.
 */
export function saysWhatToDo(message: string): boolean {
  return SAYS_WHAT_TO_DO.test(message);
}

/** Whether a message has a duration with its number: `in 30 seconds` and `30s` say the same. */
export function saysDuration(message: string, duration: string): boolean {
  const [count = "", unit = ""] = duration.split(" ");
  const at = message.search(new RegExp(`(?<![\\d.])${count.replace(".", "\\.")}[ -]?${unit[0]}`));
  return at >= 0;
}
