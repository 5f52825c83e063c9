// What an incident says about its call, read with care: the fault in it is data of any version and of any upstream.
import type { Effect, Explanation, Incident } from "../../api/types.ts";
import { EFFECT_WORDS } from "../../format/words.ts";

/** Stands for a text that the configuration does not keep. The gateway writes it. */
const NOT_KEPT_MARK = "(not kept)";
/** Stands for a part of a text that held a secret. The gateway writes it. */
const SECRET_MARK = "[removed]";

/** A piece of a text: as it was, or removed because it held a secret. */
type TextPiece = { readonly text: string } | { readonly isRemoved: true };

/** A text as far as it was kept. */
export type KeptText =
  | { readonly state: "kept"; readonly pieces: readonly TextPiece[] }
  /** The configuration keeps no texts. */
  | { readonly state: "dropped" }
  /** All of it was removed. */
  | { readonly state: "removed" };

/** Tells what of a text was kept. */
export function readKeptText(text: string): KeptText {
  if (text === NOT_KEPT_MARK) return { state: "dropped" };
  if (text.trim() === SECRET_MARK) return { state: "removed" };
  const pieces = text
    .split(SECRET_MARK)
    .flatMap((piece, place): TextPiece[] => [...(place > 0 ? [{ isRemoved: true } as const] : []), { text: piece }]);
  return { state: "kept", pieces: pieces.filter((piece) => "isRemoved" in piece || piece.text !== "") };
}

/** Whether something was done; undefined if the gateway did not record it yet. */
export function incidentEffect({ effect, sample }: Incident): Effect | undefined {
  if (effect !== undefined) return effect;
  const stated = sample?.fault["effect"];
  return typeof stated === "string" && Object.hasOwn(EFFECT_WORDS, stated) ? (stated as Effect) : undefined;
}

/** A next move of a fault: its code, and what it says besides. */
export interface FaultMove {
  readonly code: string;
  readonly afterMs?: number;
  readonly tool?: string;
}

/** The next moves that the caller was given. */
export function faultMoves({ sample }: Incident): readonly FaultMove[] {
  const moves = sample?.fault["recourse"];
  if (!Array.isArray(moves)) return [];
  return moves.slice(0, MAX_MOVES).flatMap((move: unknown) => {
    const { do: code, afterMs, tool } = (move ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof code !== "string") return [];
    return [{ code, ...(isWait(afterMs) && { afterMs }), ...(typeof tool === "string" && { tool }) }];
  });
}

const MAX_MOVES = 3;

/** How long the caller was asked to wait before another try; undefined if nothing was said. */
export function faultWaitMs(incident: Incident): number | undefined {
  const { afterMs } = faultRetry(incident);
  if (isWait(afterMs)) return afterMs;
  return faultMoves(incident).find((move) => move.afterMs !== undefined)?.afterMs;
}

/** Whether the caller learned that the call may not be made again. */
export function isRetryRefused(incident: Incident): boolean {
  return faultRetry(incident)["allowed"] === false;
}

function faultRetry({ sample }: Incident): Readonly<Record<string, unknown>> {
  const retry = sample?.fault["retry"];
  return typeof retry === "object" && retry !== null ? (retry as Readonly<Record<string, unknown>>) : {};
}

function isWait(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}

/** The next moves in words. */
const MOVE_WORDS: Readonly<Record<string, string>> = {
  retry: "make the call again",
  authenticate: "sign in again",
  fix_input: "correct the arguments",
  choose_another: "choose another",
  refresh: "check the state",
  do_first: "do something else first",
  ask_user: "ask the user",
  stop: "stop",
};

/** A next move in words; its code if it has none. */
export function moveWords(code: string): string {
  return Object.hasOwn(MOVE_WORDS, code) ? (MOVE_WORDS[code] ?? code) : code;
}

/** Who has to act, as the head of the column says it. */
const ACTOR_WORDS: Readonly<Record<string, string>> = {
  operator: "You, the operator",
  model: "The model first",
  host: "The host software first",
  person: "A person first",
};

/** Who has to act first, in words; undefined if nobody has to. */
export function actorWords(actor: string | undefined): string | undefined {
  return actor !== undefined && Object.hasOwn(ACTOR_WORDS, actor) ? ACTOR_WORDS[actor] : undefined;
}

/** The failure in a few words: the title of its reason, and the reason if that is not known. */
export function incidentTitle({ reason }: Incident, explanation: Pick<Explanation, "title"> | undefined): string {
  return explanation?.title ?? reason;
}

/** The path of the API that explains a reason; undefined for a reason that has no domain. */
export function explainPath({ reason, kind }: Pick<Incident, "reason" | "kind">): string | undefined {
  const [domain = "", name = "", ...more] = reason.split("/");
  if (domain === "" || name === "" || more.length > 0) return undefined;
  return `explain/${encodeURIComponent(domain)}/${encodeURIComponent(name)}?kind=${encodeURIComponent(kind)}`;
}

const ID_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const INCIDENT_ID_FORM = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const TIME_DIGITS = 10;

/** When an id was made, in ms since 1970; undefined if it is not an id of a gateway. */
export function idTimeMs(id: string): number | undefined {
  if (!INCIDENT_ID_FORM.test(id)) return undefined;
  let ms = 0;
  for (const digit of id.slice(0, TIME_DIGITS)) ms = ms * ID_DIGITS.length + ID_DIGITS.indexOf(digit);
  return ms;
}

/** An id as people type it: in small letters, with letters that look like digits. */
export function normalizeId(typed: string): string {
  return typed.trim().toUpperCase().replaceAll("O", "0").replaceAll(/[IL]/g, "1");
}

/** An id that is short enough for a list. */
export function shortId(id: string): string {
  return id.length <= 16 ? id : `${id.slice(0, 10)}…${id.slice(-4)}`;
}

/** Whether the texts of a sample were dropped by the configuration. */
export function isDropped({ fault, causes }: NonNullable<Incident["sample"]>): boolean {
  return [fault.message, ...causes.map(({ message }) => message)].includes(NOT_KEPT_MARK);
}
