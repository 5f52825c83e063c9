import type { Fault, Recourse, Tried } from "../fault/fault.ts";
import { type Effect, KINDS, knownKind, type Move } from "../fault/kinds.ts";
import { formatDuration, inQuotes } from "../reasons/template.ts";

type MoveSentence = (move: Recourse, fault: Fault) => string;

const EFFECT_SENTENCES = {
  possible: "The call may have taken effect",
  applied: "The call has taken effect",
} as const satisfies Record<Exclude<Effect, "none">, string>;

/** Moves whose sentence names the effect itself. `retry` is only offered if a second call is safe. */
const MOVES_THAT_NAME_THE_EFFECT: readonly Move[] = ["stop", "retry"];

/** Why an engine made no further attempt, although there was time for one. */
const EXHAUSTED: readonly Tried["stopped"][] = ["attempts", "budget"];

/** What a reason of the library looks for by its name. */
const MISSING_SUBJECTS: Readonly<Record<string, string>> = {
  "tool/not_found": "tool",
  "tool/unreachable": "tool",
  "resource/not_found": "resource",
  "resource/template_not_found": "resource template",
  "prompt/not_found": "prompt",
  "task/not_found": "task",
};

/** The one reason about arguments with which a tool has run. */
const AFTER_THE_RUN = "tool/result_too_large";

/**
 * The fault with the effect that a reader is shown. Wrong arguments are corrected and sent again, so a doubt about what the
 * wrong ones did has no place there.
 */
export function withShownEffect(fault: Fault): Fault {
  const isAboutArguments = knownKind(fault) === "invalid_input" && fault.reason !== AFTER_THE_RUN;
  return isAboutArguments && fault.effect === "possible" ? { ...fault, effect: "none" } : fault;
}

const MOVE_SENTENCES = {
  retry: (move, fault) => {
    const { stopped, attempts = 0 } = fault.tried ?? {};
    const hasWait = (move.afterMs ?? 0) >= 1_000;
    const isGivenUp = stopped !== undefined && EXHAUSTED.includes(stopped);
    if (attempts === 0 && (hasWait || !isGivenUp)) return `Repeat this call in ${describeWait(move)}.`;
    if ((stopped === "deadline" && hasWait) || stopped === "breaker")
      return `Wait ${describeWait(move)} before calling again.`;
    return "Report the failure instead of calling again.";
  },
  authenticate: () => "Ask the user to sign in again, then repeat this call.",
  fix_input: ({ fields = [] }) => {
    const named = fields.filter((field) => field !== "");
    return `Correct ${named.length === 0 ? "the arguments" : named.join(", ")} and call again.`;
  },
  choose_another: ({ candidates }, fault) => {
    const subject = MISSING_SUBJECTS[fault.reason];
    if (candidates !== undefined) {
      const names = alternatives(candidates);
      if (candidates.every((name) => fault.message.includes(inQuotes(name)))) return "Use a value from that list.";
      return subject === undefined ? `Use ${names} instead.` : `Did you mean ${names}?`;
    }
    if (subject !== undefined) return `Use another ${subject}.`;
    if (knownKind(fault) === "unsupported") return "Use another tool or operation.";
    return "Call again with a different name or id.";
  },
  refresh: ({ tool }, fault) => {
    const look = tool === undefined ? "check the current state" : `call ${inQuotes(tool)} to check the current state`;
    const wait = knownWait(fault);
    if (fault.effect === "none")
      return asSentence(`${wait === undefined ? "" : `wait ${wait}, `}${look}, then decide again`);
    const isOver = fault.retry?.allowed === false || countAttempts(fault) > 1;
    const first = wait === undefined ? "" : `wait ${wait}, then `;
    return asSentence(`${first}${look} ${isOver ? "instead of" : "before"} repeating the call`);
  },
  do_first: ({ tool }) =>
    tool === undefined ? "Resolve that first, then call again." : `Call ${inQuotes(tool)} first, then call again.`,
  ask_user: ({ link }, fault) => {
    if (link !== undefined) return `Ask the user to open ${link} to continue.`;
    if (knownKind(fault) === "approval_required") return "Ask the user to approve this call.";
    return "Ask the user what to do; the same call will fail again.";
  },
  stop: (_, fault) =>
    fault.effect === "none" ? "Do not repeat this call." : `${EFFECT_SENTENCES[fault.effect]}, so do not repeat it.`,
} as const satisfies Record<Move, MoveSentence>;

const SECOND_MOVES: Partial<Record<Move, (move: Recourse) => string | undefined>> = {
  choose_another: ({ candidates }) => candidates && `use ${alternatives(candidates)}`,
  refresh: ({ tool }) => tool && `call ${inQuotes(tool)} to check the current state`,
  do_first: ({ tool }) => tool && `call ${inQuotes(tool)} first`,
  ask_user: ({ link }) => (link === undefined ? "ask the user" : `ask the user to open ${link} to continue`),
};

/** What was tried, what may have happened, the first move as a sentence, and the second one if it adds something. */
export function describeNextMoves(given: Fault): string {
  const fault = withShownEffect(given);
  const [first, second] = fault.recourse;
  const describe: MoveSentence = MOVE_SENTENCES[first.do];
  const alternative = second && SECOND_MOVES[second.do]?.(second);
  return [
    describeTried(fault),
    describeEffect(fault, first.do),
    describe(first, fault),
    alternative === undefined ? "" : `If that fails, ${alternative}.`,
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/**
 * What stands behind a message. If its author says what to do, no move of ours repeats or contradicts it: then only what the
 * message lacks and what keeps the reader from harm is said.
 */
export function describeNextMovesAfter(message: string, fault: Fault): string {
  if (!saysWhatToDo(message) || areAttemptsOver(fault)) return describeNextMoves(fault);
  const named = fault.recourse.filter((move) => namesMore(move, message));
  return named.length === 0 ? describeRisk(message, withShownEffect(fault)) : describeNextMoves(fault);
}

/** Whether a client has given up: the sentence of the author was written for the first failure. */
function areAttemptsOver(fault: Fault): boolean {
  return describeTried(fault) !== "" || (fault.tried !== undefined && EXHAUSTED.includes(fault.tried.stopped));
}

function namesMore({ tool, link, candidates = [], fields = [] }: Recourse, message: string): boolean {
  return [tool, link, ...candidates, ...fields].some((name) => name !== undefined && !message.includes(name));
}

function describeRisk(message: string, fault: Fault): string {
  const [move] = fault.recourse;
  const wait = knownWait(fault);
  const isSaid = wait === undefined || saysDuration(message, wait);
  return [
    isSaid ? "" : `Wait ${wait} before calling again.`,
    RISK_SENTENCES[move.do]?.(fault) ?? describeEffect(fault, move.do),
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/** Moves that keep the reader from repeating what may have taken effect. */
const RISK_SENTENCES: Partial<Record<Move, (fault: Fault) => string>> = {
  refresh: ({ effect, retry }) =>
    effect === "none"
      ? ""
      : `${EFFECT_SENTENCES[effect]}, so check ${retry?.allowed === false ? "instead of" : "before"} repeating it.`,
  stop: (fault) => (fault.effect === "none" ? "" : MOVE_SENTENCES.stop({ do: "stop" }, fault)),
};

/** Equal calls that failed before, or the attempts of this one. A call that was sent once says nothing new. */
function describeTried({ tried }: Fault): string {
  const { attempts, elapsedMs, equalFailures = 0 } = tried ?? { attempts: 0, elapsedMs: 0 };
  if (equalFailures > 1) return `This call failed the same way ${equalFailures} times.`;
  if (attempts < 2) return "";
  return `The call was tried ${attempts} times${elapsedMs < 1_000 ? "" : ` in ${formatDuration(elapsedMs)}`}.`;
}

/** The effect, unless the move names it, or a guess says only that nobody knows. */
function describeEffect(fault: Fault, move: Move): string {
  if (fault.effect === "none" || MOVES_THAT_NAME_THE_EFFECT.includes(move)) return "";
  const isAnotherCall = move !== "refresh" && fault.basis === "guessed" && KINDS[knownKind(fault)].effect === "none";
  return isAnotherCall ? "" : `${EFFECT_SENTENCES[fault.effect]}.`;
}

function asSentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** The wait that the move or the service states, if it is worth a number. */
export function knownWait({ recourse: [{ afterMs }], retry }: Fault): string | undefined {
  const ms = afterMs ?? (retry?.allowed === true ? retry.afterMs : undefined) ?? 0;
  return ms < 1_000 ? undefined : formatDuration(ms);
}

/** The wait of a move. Less than a second is not worth a number. */
function describeWait({ afterMs = 0 }: Recourse): string {
  return afterMs < 1_000 ? "a moment" : formatDuration(afterMs);
}

/** Names to choose from: `"a", "b" or "c"`. */
function alternatives(names: readonly string[]): string {
  const quoted = names.map((name) => inQuotes(name));
  const last = quoted.at(-1) ?? "";
  return quoted.length < 2 ? last : `${quoted.slice(0, -1).join(", ")} or ${last}`;
}

function countAttempts({ tried }: Fault): number {
  return tried?.attempts ?? 0;
}

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
