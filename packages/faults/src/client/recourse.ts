import type { Fault } from "../fault/fault.ts";
import { createEngine } from "../retry/index.ts";
import { Connection } from "./connection.ts";
import { guardOf } from "./conversations.ts";
import { createMint, sleep } from "./defaults.ts";
import { Hints } from "./hints.ts";
import { tell } from "./incident.ts";
import { allTools } from "./list-tools.ts";
import { OneCall } from "./one-call.ts";
import type { CallOptions, RecourseOptions } from "./options.ts";
import type { Outcome } from "./outcome.ts";
import type { Request, Shared } from "./shared.ts";
import type { ClientLike, ListedTool, ResultOf } from "./types.ts";

/** A client whose calls never reject: each ends with a result, or with a fault that says what to do next. */
export interface RecourseClient<C extends ClientLike = ClientLike> {
  /** Calls a tool. */
  call(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<Outcome<ResultOf<C, "callTool">>>;
  /** Reads a resource. */
  read(uri: string, options?: CallOptions): Promise<Outcome<ResultOf<C, "readResource">>>;
  /** Gets a prompt. */
  prompt(
    name: string,
    args?: Readonly<Record<string, string>>,
    options?: CallOptions,
  ): Promise<Outcome<ResultOf<C, "getPrompt">>>;
  /** Lists all tools, page by page, and remembers what their annotations say. */
  tools(options?: CallOptions): Promise<Outcome<readonly ListedTool[]>>;
  /** The same client in a conversation of its own: its loop guard starts anew. */
  conversation(): RecourseClient<C>;
  /** The SDK's client in use; another one after a reconnection. */
  readonly client: C;
}

/** As long as the SDK itself waits for one answer. */
const DEADLINE_MS = 60_000;

/** Wraps a connected client of the official SDK, version 1 or 2; throws when it is none, naming what is missing. */
export function recourse<C extends ClientLike>(client: C, options: RecourseOptions<C> = {}): RecourseClient<C> {
  return boundTo(options.conversation, sharedBy(client, options));
}

function sharedBy<C extends ClientLike>(client: C, options: RecourseOptions<C>): Shared<C> {
  const now = options.now ?? Date.now;
  const clock = options.now ?? (() => performance.now());
  const mint = options.mint ?? createMint(now);
  const waits = { random: options.random ?? Math.random, sleep: options.sleep ?? sleep };
  const { policy, budget, breaker, sink } = options;
  const onFailed = (fault: Fault, cause: unknown) => {
    const at = new Date(now()).toISOString();
    if (sink !== undefined) tell(sink, { fault, cause, at, method: "reconnect", durationMs: 0, attempts: 1 });
  };
  return {
    options,
    connection: new Connection(client, { reconnect: options.reconnect, clock, onFailed, ...waits }),
    engine: options.engine ?? createEngine({ policy, budget, breaker, now: clock, ...waits }),
    hints: new Hints(options.tools),
    deadlineMs: options.deadlineMs ?? DEADLINE_MS,
    clock,
    now,
    mint,
  };
}

function boundTo<C extends ClientLike>(conversation: object | undefined, shared: Shared<C>): RecourseClient<C> {
  function make<T>(request: Request, options: CallOptions = {}): Promise<Outcome<T>> {
    return new OneCall(shared, request, options).run<T>(guardOf(options.conversation ?? conversation ?? bound));
  }
  const bound: RecourseClient<C> = {
    call: (name, args, options) => make({ method: "tools/call", name, params: { name, arguments: args } }, options),
    read: (uri, options) => make({ method: "resources/read", name: uri, params: { uri } }, options),
    prompt: (name, args, options) => make({ method: "prompts/get", name, params: { name, arguments: args } }, options),
    async tools(options = {}) {
      const endMs = shared.clock() + (options.deadlineMs ?? shared.deadlineMs);
      const next = (cursor: string | undefined) => {
        const request = {
          method: "tools/list",
          name: "tools/list",
          params: cursor === undefined ? {} : { cursor },
        } as const;
        return make(request, { ...options, deadlineMs: endMs - shared.clock() });
      };
      const outcome = await allTools(next);
      if (outcome.ok === true) shared.hints.learn(outcome.result);
      return outcome;
    },
    conversation: () => boundTo(undefined, shared),
    get client() {
      return shared.connection.peer.client;
    },
  };
  return bound;
}
