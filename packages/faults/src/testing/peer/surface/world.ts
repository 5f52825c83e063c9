import type { Json } from "../../../dialects/wire.ts";
import type { Clock } from "../clock.ts";
import type { Ledger } from "../ledger.ts";
import type { Ask, Id } from "../message.ts";
import type { Limits } from "./limits.ts";

/** One client that has said hello; a request of the modern revision has one of its own. */
export interface Session {
  readonly id: string;
  readonly revision: string;
  readonly capabilities: Json;
  phase: "initializing" | "ready";
  readonly subscribed: Set<string>;
  /** Requests that may still be cancelled. */
  readonly running: Map<Id, AbortController>;
  /** Questions to the client that are not answered yet. */
  readonly asked: Map<Id, (answer: Json) => void>;
  /** The stream that the client holds open for notifications. */
  stream: ((message: Json) => void) | undefined;
}

/** Somebody that the peer knows. */
export interface Principal {
  readonly name: string;
  readonly roles: readonly string[];
  readonly permissions: readonly string[];
}

/** One tool of the peer. */
export interface Tool {
  readonly description: string;
  /** Its parameters, each with its type; those with a `?` may be missing. */
  readonly parameters: Readonly<Record<string, "string" | "number" | "string?" | "number?">>;
  readonly annotations?: Json;
  readonly outputSchema?: Json;
  /** The role that its callers need. */
  readonly role?: string;
  readonly run: (args: Json, context: Context) => Promise<Json> | Json;
}

/** Something that goes on after its call was answered. */
export interface Task {
  readonly id: string;
  readonly createdAt: number;
  status: "working" | "completed" | "failed" | "cancelled";
  readonly stop: AbortController;
  /** Its result; rejects with the fault that it ended in. */
  readonly outcome: Promise<Json>;
}

/** All that the peer knows. */
export interface World {
  readonly clock: Clock;
  readonly startedAt: number;
  readonly limits: Limits;
  readonly ledger: Ledger;
  readonly keys: boolean;
  readonly sessions: Map<string, Session>;
  readonly tools: Map<string, Tool>;
  readonly tasks: Map<string, Task>;
  /** Cursors that were given out: where each goes on, and since when. */
  readonly cursors: Map<string, { readonly list: string; readonly from: number; readonly at: number }>;
  /** Progress tokens of the peer's own questions. */
  readonly tokens: Map<string, "live" | "ended">;
  /** Times of the requests in the present window. */
  readonly recent: number[];
  /** A new name, such as `task-1`. */
  mint(prefix: string): string;
}

/** What a method is told. */
export interface Context {
  readonly world: World;
  readonly session: Session;
  readonly who: Principal;
  readonly ask: Ask;
  /** Ends when the client cancelled the request or went away. */
  readonly signal: AbortSignal;
  /** Sends a message ahead of the reply. */
  readonly send: (message: Json) => void;
  /** Told whenever something was really done for this request. */
  readonly applied: () => void;
}

/** One method of the protocol: gives its result or throws. */
export type Method = (context: Context) => Promise<Json> | Json;

/** What a world starts with. */
export interface WorldFacts {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly ledger: Ledger;
  readonly keys: boolean;
  readonly tools: Iterable<readonly [string, Tool]>;
}

/** A world in which nobody has said anything yet. */
export function createWorld({ tools, ...facts }: WorldFacts): World {
  const minted = new Map<string, number>();
  return {
    ...facts,
    startedAt: facts.clock.now(),
    sessions: new Map(),
    tools: new Map(tools),
    tasks: new Map(),
    cursors: new Map(),
    tokens: new Map(),
    recent: [],
    mint(prefix) {
      const serial = (minted.get(prefix) ?? 0) + 1;
      minted.set(prefix, serial);
      return `${prefix}-${serial}`;
    },
  };
}

/** A session in which nothing has happened yet. */
export function createSession(facts: Pick<Session, "id" | "revision" | "capabilities" | "phase">): Session {
  return { ...facts, subscribed: new Set(), running: new Map(), asked: new Map(), stream: undefined };
}
