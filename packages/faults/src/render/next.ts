import type { Fault, Recourse, Tried } from "../fault/fault.ts";
import type { Effect, Move } from "../fault/kinds.ts";
import { quoted, showDuration } from "../reasons/show.ts";

type Say = (move: Recourse, fault: Fault) => string;

/** What is known about an effect that cannot be ruled out. */
const EFFECT = {
  possible: "It may have taken effect.",
  applied: "It has taken effect.",
} as const satisfies Record<Exclude<Effect, "none">, string>;

/** Moves that say so themselves, and the one that is only offered where repeating does no harm. */
const SAYING: readonly Move[] = ["refresh", "stop", "retry"];

/** What each move asks of the reader, as one sentence. */
const SENTENCES = {
  retry: (move, fault) => {
    const wait = move.afterMs === undefined || move.afterMs === 0 ? "a short wait" : showDuration(move.afterMs);
    // Whoever already tried must not read this as leave to try on.
    return isTried(fault) ? `It may succeed after ${wait}.` : `The same call may be repeated after ${wait}.`;
  },
  authenticate: () => "New credentials are needed before the call is repeated.",
  fix_input: (move) =>
    move.fields === undefined || move.fields.every((field) => field === "")
      ? "Correct the arguments and call again."
      : `Correct ${move.fields.filter((field) => field !== "").join(", ")} and call again.`,
  choose_another: (move) =>
    move.candidates === undefined
      ? "Choose another one; the same call will fail again."
      : `Choose another one, such as ${move.candidates.map((name) => quoted(name)).join(", ")}.`,
  refresh: (move, fault) => {
    const look =
      move.tool === undefined ? "Look at the current state" : `Call ${quoted(move.tool)} to see the current state`;
    if (fault.effect === "none") return `${look} and decide anew.`;
    const then = fault.retry?.allowed === false ? "; do not repeat the call." : " before repeating it.";
    return `${EFFECT[fault.effect]} ${look}${then}`;
  },
  do_first: (move) =>
    move.tool === undefined
      ? "Do first what is missing, then call again."
      : `Call ${quoted(move.tool)} first, then call again.`,
  ask_user: (move) =>
    move.link === undefined
      ? "Ask the user; the call cannot succeed without a person."
      : `Ask the user to open ${move.link}`,
  stop: (_, fault) =>
    fault.effect === "none" ? "Do not repeat this call." : `Do not repeat this call; ${lower(EFFECT[fault.effect])}`,
} as const satisfies Record<Move, Say>;

/** Says the first move, and the second where it adds something. */
export function sayNext(fault: Fault): string {
  const [first, second] = fault.recourse;
  const say: Say = SENTENCES[first.do];
  const then =
    second === undefined || second.do === "stop" ? "" : ` Otherwise: ${lower(SENTENCES[second.do](second, fault))}`;
  const effect = fault.effect === "none" || SAYING.includes(first.do) ? "" : `${EFFECT[fault.effect]} `;
  return effect + say(first, fault) + then;
}

function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** A call that was never sent was not tried, whoever held it back. */
function isTried(fault: Fault): fault is Fault & { readonly tried: Tried } {
  return fault.tried !== undefined && fault.tried.attempts > 0;
}

/** Says what was already tried, so that nobody starts the same attempts over. */
export function sayTried(fault: Fault): string {
  if (!isTried(fault)) return "";
  const { attempts, elapsedMs } = fault.tried;
  const times = attempts === 1 ? "once" : `${attempts} times`;
  return `It was tried ${times} in ${showDuration(elapsedMs)}; do not start over.`;
}
