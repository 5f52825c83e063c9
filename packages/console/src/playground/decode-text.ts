// Reads a pasted text. It holds the reader of the library, so it is loaded when somebody pastes something.
import { type Fault, type Recourse, render } from "@recourse/core";
import { libraryReason } from "@recourse/core/reasons";
import {
  explainBriefly,
  findLeakedParts,
  leakIn,
  type RecognisedFailure,
  readFailure,
  sayRepeat,
  type UnrecognisedText,
} from "@recourse/explain";
import { FORMAT_NAMES } from "./format-names.ts";
import { findSentText, type SentText } from "./sent-text.ts";

/** What a text says, ready to be shown. */
export type DecodedText = DecodedFailure | { readonly found: false; readonly title: string; readonly sentence: string };

/** A failure in a text. */
export interface DecodedFailure {
  readonly found: true;
  readonly title: string;
  readonly sentence: string;
  readonly advice: string;
  readonly code?: string;
  readonly effect: "none" | "possible" | "applied";
  /** Who sent it, or `words alone`. */
  readonly system: string;
  readonly kind?: string;
  readonly reason?: string;
  /** Whether the reason is one of the library, which has a page. */
  readonly isDocumented: boolean;
  readonly actor: string;
  readonly moves: readonly { readonly code: string; readonly words: string }[];
  /** Names and values of what else is known, in the order in which they are shown. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** What a model reads without Recourse, in parts; undefined if the failure is not about a call. */
  readonly sentParts?: readonly TextPart[];
  /** The sentence for a model; undefined if the failure is not about a call. */
  readonly modelReads?: string;
  /** What would be left out, in a few words each. */
  readonly leftOut: readonly string[];
  /** Where that stands in the text. */
  readonly marks: readonly TextMark[];
  readonly remedies: readonly string[];
  /** Whether the call may be repeated; undefined if the failure is not about a call. */
  readonly repeat?: string;
  readonly fault?: Fault;
}

/** A part of a text that was sent: its words, or what it gives away instead of them. */
export type TextPart = { readonly text: string } | { readonly leaks: readonly string[]; readonly length: number };

/** A part of a pasted text that would be left out. */
export interface TextMark {
  readonly start: number;
  readonly end: number;
  /** The number of the line, from 1. */
  readonly line: number;
  /** What it gives away. */
  readonly leaks: readonly string[];
}

const SENDER_NAMES: Readonly<Record<string, string>> = {
  ...FORMAT_NAMES,
  sdk: "the official SDK",
  fastmcp: "FastMCP",
  text: "words alone",
};

const HOW_SURE = {
  stated: "The sender says so itself.",
  mapped: "It has a code or words that mean this.",
  guessed: "The words alone suggest it, so it may be something else.",
} as const satisfies Record<RecognisedFailure["basis"], string>;

const WHO_ACTS = {
  model: "The model",
  host: "The host or client software",
  person: "A person",
  time: "No one: wait",
  engine: "You: look before you repeat the call",
  operator: "The operator",
  nobody: "No one",
  setup: "You, or who set up the connection",
  author: "The author of the server",
} as const satisfies Record<RecognisedFailure["actor"], string>;

const MOVE_LINES = {
  retry: "Make the call again",
  authenticate: "Sign in again",
  fix_input: "Correct the arguments",
  choose_another: "Choose another",
  refresh: "Check the state",
  do_first: "Call another tool first",
  ask_user: "Ask the user",
  stop: "Stop",
} as const satisfies Record<Recourse["do"], string>;

/** A text that is not known may well be a failure. */
const NOT_FOUND_TITLES = {
  empty: "Nothing to read",
  request: "No failure",
  notification: "No failure",
  success: "No failure",
  unmarked_failure: "A failure, sent as a success",
  json: "Not recognised",
  text: "Not recognised",
} as const satisfies Record<UnrecognisedText["because"], string>;

const NOT_A_FAILURE = {
  empty: "Nothing was pasted.",
  request: "This is a request.",
  notification: "This is a notification.",
  success: "This is a success.",
  unmarked_failure:
    "The content says that it failed, but the reply is marked as a success. Return it with isError: true.",
  json: "This is JSON without a failure that is known.",
  text: "Nothing in this text is known. Paste the whole line, with its code and the lines above it.",
} as const satisfies Record<UnrecognisedText["because"], string>;

/** More marks than this help nobody. */
const MAX_TEXT_MARKS = 20;

/** Reads a text. It never throws, and what it gives holds no secrets. */
export function decodePasted(text: string): DecodedText {
  const reading = readFailure(text);
  if (!reading.found)
    return {
      found: false,
      title: NOT_FOUND_TITLES[reading.because],
      sentence: NOT_A_FAILURE[reading.because],
    };
  const { leads, fault: known, code } = reading;
  const fault = leads === "fault" ? known : undefined;
  const sent = findSentText(text);
  return {
    found: true,
    title: reading.title,
    sentence: reading.because,
    advice: leads === "cause" ? (reading.cause?.fix ?? reading.advice) : reading.advice,
    effect: reading.effect,
    ...(code !== undefined && { code }),
    system: nameSystem(reading),
    ...(known !== undefined && { kind: known.kind, reason: known.reason, fault: known }),
    isDocumented: known !== undefined && libraryReason(known.reason)?.id === known.reason,
    actor: WHO_ACTS[reading.actor],
    moves: (fault?.recourse ?? []).map((move) => ({ code: move.do, words: sayMove(move) })),
    facts: listFacts(reading),
    ...(fault !== undefined && {
      modelReads: render(fault, { for: "model" }),
      repeat: sayRepeat(fault),
      ...(sent.isMessage && { sentParts: splitAtLeaks(sent.text) }),
    }),
    leftOut: listLeaks(sent),
    marks: findMarks(sent, text),
    remedies: fault === undefined ? [] : (explainBriefly(fault)?.remedies ?? []),
  };
}

function nameSystem({ dialect, basis }: RecognisedFailure): string {
  const name = dialect === undefined ? "words alone" : (SENDER_NAMES[dialect] ?? dialect);
  return basis === "guessed" ? `${name}, guessed` : name;
}

function listFacts({ cause, rpcCode, httpStatus, basis, recognised }: RecognisedFailure): DecodedFailure["facts"] {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["Cause", cause?.id],
    ["Code", rpcCode === undefined ? undefined : String(rpcCode)],
    ["HTTP status", httpStatus === undefined ? undefined : String(httpStatus)],
    ["How sure", HOW_SURE[basis]],
    ["Recognised", recognised],
  ];
  return facts.flatMap(([name, value]) => (value === undefined || value === "" ? [] : [[name, value] as const]));
}

function sayMove({ do: move, afterMs, fields, candidates, tool }: Recourse): string {
  const words = MOVE_LINES[move];
  if (afterMs !== undefined) return `${words} after ${afterMs / 1_000} s`;
  if (fields !== undefined && fields.length > 0) return `${words}: ${fields.join(", ")}`;
  if (candidates !== undefined && candidates.length > 0) return `${words}: ${candidates.join(", ")}`;
  return tool === undefined ? words : `${words}: ${tool}`;
}

/** All that is found, or what the filter of a guarded server says of a text in which it is hidden by escapes. */
function listLeaks({ text, strings }: SentText): readonly string[] {
  const found = strings.flatMap((one) => findLeakedParts(one).flatMap(({ leaks }) => leaks));
  const first = leakIn(text);
  return [...new Set(first === undefined || found.includes(first) ? found : [first, ...found])];
}

/** The text without what it gives away. */
function splitAtLeaks(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let done = 0;
  for (const { start, end, leaks } of findLeakedParts(text)) {
    if (start > done) parts.push({ text: text.slice(done, start) });
    parts.push({ leaks, length: end - start });
    done = end;
  }
  const leak = done === 0 ? leakIn(text) : undefined;
  if (leak !== undefined) return [{ leaks: [leak], length: text.length }];
  return [...parts, ...(done < text.length ? [{ text: text.slice(done) }] : [])];
}

/** Where leaks stand in the text that was pasted. In JSON they may be escaped. */
function findMarks({ strings }: SentText, pasted: string): readonly TextMark[] {
  const marks = strings.flatMap((one) =>
    findLeakedParts(one).flatMap(({ start, end, leaks }) => {
      const part = one.slice(start, end);
      const forms = [part, JSON.stringify(part).slice(1, -1)];
      const form = forms.find((each) => pasted.includes(each));
      const at = form === undefined ? -1 : one === pasted ? start : pasted.indexOf(form);
      if (form === undefined) return [];
      return [{ start: at, end: at + form.length, line: pasted.slice(0, at).split("\n").length, leaks }];
    }),
  );
  return [...new Map(marks.map((mark) => [mark.start, mark])).values()].slice(0, MAX_TEXT_MARKS);
}
