import { type Effect, KINDS, type Kind, type Move } from "../fault/kinds.ts";
import { libraryReason } from "../reasons/library/by-id.ts";
import { catalogue } from "./catalogue.ts";
import { CODE_RANGES, CODES, type CodeRange, type CodeRow } from "./data/codes.ts";
import { SYSTEMS } from "./data/systems.ts";

/** One meaning of an error code. */
export interface CodeMeaning extends Required<Pick<CodeRow, "sender" | "meaning" | "reason" | "effect" | "advice">> {
  /** The HTTP status that it comes with, if that is what tells it from other meanings. */
  readonly status?: number;
  /** The kind of the reason. */
  readonly kind: Kind;
}

const ADVICE: Readonly<Record<Move, string>> = {
  retry: "wait, then make the same call again",
  authenticate: "authenticate",
  fix_input: "correct the arguments",
  choose_another: "choose another one",
  refresh: "look before repeating",
  do_first: "do first what is missing",
  ask_user: "ask a person",
  stop: "do not repeat the call",
};

/**
 * Everything that an error code can mean, by who sends it: JSON-RPC and MCP, the official SDKs, servers and gateways, and
 * the five systems. Takes numbers and names, such as `REQUEST_TIMEOUT`. Empty if the code is not known.
 *
 * @example
 * for (const { sender, meaning, advice } of meaningsOf(-32001)) console.log(`${sender}: ${meaning}. ${advice}`);
 */
export function meaningsOf(code: number | string): readonly CodeMeaning[] {
  const name = String(code);
  const own: readonly CodeRow[] = Object.hasOwn(CODES, name) ? CODES[name as keyof typeof CODES] : [];
  return [...own.map(meaningOf), ...systemMeanings(name)];
}

/** What the protocol says about the range of a number. */
export function rangeOf(code: number): CodeRange | undefined {
  return CODE_RANGES.find(({ from, to }) => code >= from && code <= to);
}

function meaningOf(row: CodeRow): CodeMeaning {
  const reason = libraryReason(row.reason);
  const kind = reason?.kind ?? "unknown";
  const { effect = reason?.fault({}).effect ?? KINDS[kind].effect } = row;
  return { ...row, kind, effect, advice: row.advice ?? adviceFor(kind, effect) };
}

/** A call that may have changed something is not simply repeated. */
function adviceFor(kind: Kind, effect: Effect): string {
  const { firstMove } = KINDS[kind];
  return ADVICE[firstMove === "retry" && effect !== "none" ? "refresh" : firstMove];
}

function systemMeanings(code: string): CodeMeaning[] {
  return Object.values(catalogue).flatMap(({ id, doc }) =>
    (doc.codes ?? [])
      .filter((one) => one.code === code)
      .map(({ system, note }) =>
        meaningOf({ sender: SYSTEMS[system].name, meaning: meaningOfSystem(doc.title, note), reason: id }),
      ),
  );
}

/** The title of the reason, and what the system adds to it. */
function meaningOfSystem(title: string, note?: string): string {
  return note === undefined ? lowerFirst(title) : `${lowerFirst(title)} (${note.replace(/\.$/, "")})`;
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
