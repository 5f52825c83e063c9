import type { Fault, Recourse, Tried } from "../fault/fault.ts";
import type { Effect, Move } from "../fault/kinds.ts";
import { formatDuration, inQuotes } from "../reasons/format-value.ts";

type MoveSentence = (move: Recourse, fault: Fault) => string;

/** What a model reads about an effect that cannot be ruled out. */
const EFFECT_FOR_MODEL = {
  possible: "It may have taken effect.",
  applied: "It has taken effect.",
} as const satisfies Record<Exclude<Effect, "none">, string>;

/** Moves whose sentence names the effect itself. `retry` is only offered if a second call is safe. */
const MOVES_THAT_NAME_THE_EFFECT: readonly Move[] = ["refresh", "stop", "retry"];

/** One sentence for each move. */
const MOVE_SENTENCES = {
  retry: (move, fault) => {
    const wait = move.afterMs === undefined || move.afterMs === 0 ? "a short wait" : formatDuration(move.afterMs);
    // After several attempts this sentence must not invite the reader to try again.
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
      : `Choose another one, such as ${move.candidates.map((name) => inQuotes(name)).join(", ")}.`,
  refresh: (move, fault) => {
    const lookFirst =
      move.tool === undefined ? "Look at the current state" : `Call ${inQuotes(move.tool)} to see the current state`;
    if (fault.effect === "none") return `${lookFirst} and decide anew.`;
    const then = fault.retry?.allowed === false ? "; do not repeat the call." : " before repeating it.";
    return `${EFFECT_FOR_MODEL[fault.effect]} ${lookFirst}${then}`;
  },
  do_first: (move) =>
    move.tool === undefined
      ? "Do first what is missing, then call again."
      : `Call ${inQuotes(move.tool)} first, then call again.`,
  ask_user: (move) =>
    move.link === undefined
      ? "Ask the user; the call cannot succeed without a person."
      : `Ask the user to open ${move.link}`,
  stop: (_, fault) =>
    fault.effect === "none"
      ? "Do not repeat this call."
      : `Do not repeat this call; ${lowerFirst(EFFECT_FOR_MODEL[fault.effect])}`,
} as const satisfies Record<Move, MoveSentence>;

/** The first move as a sentence, and the second one if it adds something. */
export function describeNextMoves(fault: Fault): string {
  const [first, second] = fault.recourse;
  const describe: MoveSentence = MOVE_SENTENCES[first.do];
  const then =
    second === undefined || second.do === "stop"
      ? ""
      : ` Otherwise: ${lowerFirst(MOVE_SENTENCES[second.do](second, fault))}`;
  const effect =
    fault.effect === "none" || MOVES_THAT_NAME_THE_EFFECT.includes(first.do)
      ? ""
      : `${EFFECT_FOR_MODEL[fault.effect]} `;
  return effect + describe(first, fault) + then;
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** A call that was never sent was not tried. */
function isTried(fault: Fault): fault is Fault & { readonly tried: Tried } {
  return fault.tried !== undefined && fault.tried.attempts > 0;
}

/** A sentence about the attempts so far, so that the reader does not start them again. */
export function describeTried(fault: Fault): string {
  if (!isTried(fault)) return "";
  const { attempts, elapsedMs } = fault.tried;
  const times = attempts === 1 ? "once" : `${attempts} times`;
  return `It was tried ${times} in ${formatDuration(elapsedMs)}; do not start over.`;
}
