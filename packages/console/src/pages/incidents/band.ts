// The band of an incident: whether something was done, and whether the call may be made again.
import type { CallStep, Effect, Incident } from "../../api/types.ts";
import { left } from "../../format/time.ts";
import { faultWaitMs, incidentEffect, isRetryRefused } from "./facts.ts";

/** The band: its first words stand out. */
export interface Band {
  /** Undefined: it is not known. */
  readonly effect: Effect | undefined;
  readonly first: string;
  readonly rest: string;
}

/** Says by fixed rules whether the call of an incident took effect. */
export function bandSentence(incident: Incident): Band {
  const effect = incidentEffect(incident);
  switch (effect) {
    case "none":
      return { effect, first: "Nothing was done.", rest: join(whyNothing(incident), repeatAdvice(incident)) };
    case "possible":
      return {
        effect,
        first: "The call may have taken effect.",
        rest: join(whyPossible(incident), keyAdvice(incident)),
      };
    case "applied":
      return { effect, first: "The call took effect, and its answer was lost.", rest: "Do not repeat it." };
    case undefined:
      return {
        effect,
        first: "It is not known whether the call took effect.",
        rest: "This incident is older than the version of the gateway that records it.",
      };
    default:
      return effect satisfies never;
  }
}

/** Steps after which the upstream had the call. */
const SENT_STEPS: readonly CallStep[] = ["attempt", "judge"];

function whyNothing({ sample }: Incident): string {
  if (sample?.sent === "nothing") return "The call was not sent.";
  if (sample?.sent !== undefined) return "The upstream refused it before doing anything.";
  // Who looks at an ended step knows whether the call came as far as the upstream, but not whether all of it left.
  if (sample?.endedAt !== undefined && !SENT_STEPS.includes(sample.endedAt)) return "The call was not sent.";
  return "";
}

function repeatAdvice(incident: Incident): string {
  if (isRetryRefused(incident)) return "";
  const waitMs = faultWaitMs(incident);
  return waitMs === undefined ? "It may be made again." : `It may be made again after ${left(waitMs)}.`;
}

/** Kinds of failures in which no answer came. */
const UNANSWERED: readonly string[] = ["timeout", "unavailable", "cancelled"];

function whyPossible({ sample, kind }: Incident): string {
  if (sample === undefined) return "";
  if (sample.fault["basis"] === "guessed") return "It was guessed from a text.";
  if (UNANSWERED.includes(kind)) return "The request had left the gateway, and no answer came back.";
  return "The upstream answered with an error that does not say.";
}

function keyAdvice({ sample }: Incident): string {
  if (sample?.keyed === true) return "It had an idempotency key: repeating it with the key is safe.";
  if (sample?.keyed === false) return "It had no idempotency key: do not repeat it before you know the state.";
  return "Do not repeat it before you know the state.";
}

function join(...sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== "").join(" ");
}
