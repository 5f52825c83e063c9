// What a change says: a sentence, what else is known, and a noun for "It began 2 minutes after …".
import type { Change } from "../../api/types.ts";
import { withNoun } from "../../format/numbers.ts";
import type { IconName } from "../../parts/icon.tsx";

/** A change in words. */
export interface ChangeWords {
  /** A sentence without its full stop, such as `Breaker of shop opened`. */
  readonly text: string;
  /** What else is known; empty if nothing is. */
  readonly detail: string;
  /** The change as a noun, such as `a change of the configuration`. */
  readonly noun: string;
  /** What a chart writes above its line. */
  readonly mark: string;
}

/** The shape of each kind. */
export const CHANGE_ICONS = {
  operator: "person",
  config: "config",
  breaker: "breaker",
  store: "store",
  process: "process",
} as const satisfies Record<Change["kind"], IconName>;

/** What each kind is called in a filter. */
export const CHANGE_KIND_WORDS = {
  operator: "People",
  config: "Configuration",
  breaker: "Breakers",
  store: "Stores",
  process: "Processes",
} as const satisfies Record<Change["kind"], string>;

type ChangePhrase = (change: Change) => Omit<ChangeWords, "detail"> & { readonly detail?: string | undefined };

/** The sentences, by kind and what happened. `*` is for what this page does not know yet. */
const CHANGE_PHRASES: {
  readonly [Kind in Change["kind"]]: Readonly<Record<string, ChangePhrase>> & { readonly "*": ChangePhrase };
} = {
  breaker: {
    opened: (change) => ({
      text: `Breaker of ${scope(change)} opened`,
      noun: `the breaker of ${scope(change)} opening`,
      mark: `breaker of ${scope(change)} opened`,
      detail: joined([failureCount(change), replica(change)]),
    }),
    "half-opened": (change) => breakerPhrase(change, "lets single calls through"),
    closed: (change) => breakerPhrase(change, "closed"),
    "*": (change) => breakerPhrase(change, `changed: ${change.what}`),
  },
  config: {
    "taken-over": (change) => ({
      text: `${writtenFile(change)} was taken over`,
      noun: "a change of the configuration",
      mark: "configuration changed",
      detail: joined([options(change), fact(change, "by") && `by ${fact(change, "by")}`]),
    }),
    refused: (change) => ({
      text: `${writtenFile(change)} was refused, and the one before stays in force`,
      noun: "a refused change of the configuration",
      mark: "configuration refused",
      detail: joined([fact(change, "why") ?? fact(change, "text"), options(change)]),
    }),
    "*": (change) => ({
      text: `Configuration: ${change.what}`,
      noun: "a change of the configuration",
      mark: "configuration changed",
      detail: options(change),
    }),
  },
  store: {
    away: (change) => storePhrase(change, "is down"),
    back: (change) => storePhrase(change, "is up again"),
    "*": (change) => storePhrase(change, `changed: ${change.what}`),
  },
  process: {
    started: (change) => ({
      text: `${joinWords([change.target, fact(change, "version")])} started`,
      noun:
        fact(change, "version") === undefined
          ? "a start of the gateway"
          : `the start of version ${fact(change, "version")}`,
      mark: joinWords([fact(change, "version") ?? "process", "started"]),
      detail: joined([replicas(change), fact(change, "was") && `was ${fact(change, "was")}`]),
    }),
    stopped: (change) => ({
      text: `${joinWords([change.target, fact(change, "version")])} stopped`,
      noun: "a stop of the gateway",
      mark: "process stopped",
      detail: replicas(change),
    }),
    "*": (change) => ({
      text: `Process ${change.target}: ${change.what}`,
      noun: "a change of the processes",
      mark: "process changed",
    }),
  },
  operator: {
    "approval.approve": (change) => decision(change, "approved"),
    "approval.deny": (change) => decision(change, "denied"),
    "breaker.reset": (change) => ({
      text: `${person(change)} reset the breaker of ${scope(change)}`,
      noun: `a reset of the breaker of ${scope(change)}`,
      mark: `${scope(change)} reset`,
    }),
    "key.add": (change) => ({
      text: `${person(change)} made the key ${change.target}`,
      noun: "a new key",
      mark: "key made",
    }),
    "key.revoke": (change) => ({
      text: `${person(change)} revoked the key ${change.target}`,
      noun: "a revoked key",
      mark: "key revoked",
    }),
    "incidents.erase": (change) => ({
      text: `${person(change)} erased what was kept about a caller`,
      noun: "an erasure",
      mark: "caller erased",
    }),
    "console.sign-in": (change) => ({ text: `${person(change)} signed in`, noun: "a sign-in", mark: "signed in" }),
    "console.sign-out": (change) => ({ text: `${person(change)} signed out`, noun: "a sign-out", mark: "signed out" }),
    "console.sign-in-refused": (change) => ({
      text: "A sign-in was refused",
      noun: "a refused sign-in",
      mark: "sign-in refused",
      detail: fact(change, "address") && `from ${fact(change, "address")}`,
    }),
    "*": (change) => ({
      text: `${person(change)}: ${change.what} ${change.target}`,
      noun: `a change by ${person(change)}`,
      mark: change.what || "change",
    }),
  },
};

/** A change in words. It never throws, whatever the facts are. */
export function changeWords(change: Change): ChangeWords {
  const phrases = CHANGE_PHRASES[change.kind];
  const phrase = (Object.hasOwn(phrases, change.what) ? phrases[change.what] : undefined) ?? phrases["*"];
  const { text, noun, mark, detail = "" } = phrase(change);
  const outcome = change.kind === "operator" ? fact(change, "outcome") : undefined;
  return { text, noun, mark, detail: joined([detail, outcome && `not done: ${outcome}`]) };
}

/** Whether a change can be named before a failure that began after it. Sign-ins and refused files change nothing. */
export function isCandidate({ kind, what }: Change): boolean {
  if (kind === "operator") return !what.startsWith("console.");
  return kind === "process" || (kind === "config" && what !== "refused");
}

function breakerPhrase(change: Change, does: string): ReturnType<ChangePhrase> {
  return {
    text: `Breaker of ${scope(change)} ${does}`,
    noun: `a change of the breaker of ${scope(change)}`,
    mark: `breaker of ${scope(change)} ${does}`,
    detail: replica(change),
  };
}

function storePhrase(change: Change, does: string): ReturnType<ChangePhrase> {
  const name = change.target === "database" ? "The database" : `Store of ${change.target}`;
  return {
    text: `${name} ${does}`,
    noun: `a change of the store of ${change.target}`,
    mark: `${change.target} ${does}`,
    detail: joined([fact(change, "answer") ?? fact(change, "text"), replica(change)]),
  };
}

function decision(change: Change, did: string): ReturnType<ChangePhrase> {
  const tool = fact(change, "tool");
  return {
    text: `${person(change)} ${did} ${tool ?? "a call"}`,
    noun: `a decision of ${person(change)}`,
    mark: `call ${did}`,
    detail: `approval ${shortened(change.target)}`,
  };
}

const person = ({ by }: Change) => by ?? "An operator";

/** An upstream, or one of its tools. */
const scope = (change: Change) => fact(change, "tool") ?? change.target;

const writtenFile = ({ target }: Change) =>
  target === "" || target === "configuration" ? "The configuration" : target;

const replica = (change: Change) => (change.replica === undefined ? "" : `replica ${change.replica}`);

function replicas(change: Change): string {
  const count = change.facts["replicas"];
  return typeof count === "number" ? withNoun(count, "replica") : replica(change);
}

function failureCount(change: Change): string {
  const count = change.facts["failures"];
  return typeof count === "number" ? `${withNoun(count, "failure")} in a row` : "";
}

/** The names of changed options: never values. */
function options({ facts }: Change): string {
  const names = [facts["options"], facts["changed"]].find(Array.isArray)?.filter((name) => typeof name === "string");
  if (names === undefined || names.length === 0) return "";
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  return `${names.slice(0, 3).join(", ")}${more} changed`;
}

function fact({ facts }: Change, name: string): string | undefined {
  const value = facts[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

const shortened = (id: string) => (id.length > 12 ? `${id.slice(0, 4)}…${id.slice(-4)}` : id);

const joined = (parts: readonly (string | undefined)[]) => parts.filter(Boolean).join(" · ");

const joinWords = (parts: readonly (string | undefined)[]) => parts.filter(Boolean).join(" ");
