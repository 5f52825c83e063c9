import type { Fault } from "../fault/fault.ts";
import { deliver } from "../incidents/incident.ts";
import { idGenerator } from "../platform/random.ts";
import { sleep } from "../platform/sleep.ts";
import { internal } from "../reasons/library/core.ts";
import { createEngine } from "../retry/engine.ts";
import { createLoopGuard, type LoopGuard } from "../retry/index.ts";
import type { ClientLike, ListedTool, ResultOf } from "../sdk/client-types.ts";
import { allPages } from "./all-pages.ts";
import { CallSession } from "./call-session.ts";
import type { ClientRequest, ClientState } from "./client-state.ts";
import { connectFault } from "./connect-fault.ts";
import { Connection } from "./connection.ts";
import type { CallOptions, RecourseOptions } from "./options.ts";
import type { InputRequired, Outcome } from "./outcome.ts";
import { ToolHints } from "./tool-hints.ts";
import { ToolNames } from "./tool-names.ts";

/** A client whose calls never reject: each ends with a result, or with a fault that says what to do next. */
export interface RecourseClient<C extends ClientLike = ClientLike, Input = never> {
  /** Calls a tool. */
  call(
    name: string,
    args?: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<Outcome<ResultOf<C, "callTool">> | Input>;
  /** Reads a resource. */
  read(uri: string, options?: CallOptions): Promise<Outcome<ResultOf<C, "readResource">> | Input>;
  /** Gets a prompt. */
  prompt(
    name: string,
    args?: Readonly<Record<string, string>>,
    options?: CallOptions,
  ): Promise<Outcome<ResultOf<C, "getPrompt">> | Input>;
  /** Lists all tools, page by page, and remembers their annotations. */
  tools(options?: CallOptions): Promise<Outcome<readonly ListedTool[]>>;
  /** The same client in a conversation of its own: its loop guard starts anew. */
  conversation(): RecourseClient<C, Input>;
  /** The SDK's client in use; another one after a reconnection. */
  readonly client: C;
}

/** As long as the SDK itself waits for one answer. */
const DEADLINE_MS = 60_000;

/**
 * Wraps a connected client of the official SDK (1.24 and later, or 2.x) so that every call ends with an outcome. It throws
 * a TypeError where the client is none, and says what is missing.
 *
 * @example
 * const mcp = recourse(client, { deadlineMs: 30_000 });
 * const outcome = await mcp.call("cancel_order", { order: 7 });
 * if (!outcome.ok) return render(outcome.fault, { for: "model" });
 * console.log(outcome.result.content);
 */
export function recourse<C extends ClientLike>(
  client: C,
  options: RecourseOptions<C> & { readonly inputRequired: "return" },
): RecourseClient<C, InputRequired>;
export function recourse<C extends ClientLike>(
  client: C,
  options?: RecourseOptions<C> & { readonly inputRequired?: "rounds" },
): RecourseClient<C>;
export function recourse<C extends ClientLike>(
  client: C,
  options: RecourseOptions<C> = {},
): RecourseClient<C, InputRequired> {
  return boundTo(options.conversation, stateFor(client, options));
}

function stateFor<C extends ClientLike>(client: C, options: RecourseOptions<C>): ClientState<C> {
  const now = options.now ?? Date.now;
  const clock = options.now ?? (() => performance.now());
  const waits = { random: options.random ?? Math.random, sleep: options.sleep ?? sleep };
  const { budget, breaker, sink } = options;
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  const answerMs = Math.min(options.attemptMs ?? deadlineMs, deadlineMs);
  const policy = { ...options.dialect?.contract?.policy, ...options.policy };
  const onFailed = (fault: Fault, cause: unknown) => {
    const at = new Date(now()).toISOString();
    if (sink !== undefined) deliver(sink, { fault, cause, at, method: "reconnect", durationMs: 0, attempts: 1 });
  };
  const readError = (cause: unknown) => connectFault(cause, options);
  const hints = new ToolHints(options.tools);
  return {
    options,
    connection: new Connection(client, { reconnect: options.reconnect, clock, readError, onFailed, ...waits }),
    engine: options.engine ?? createEngine({ policy, budget, breaker, answerMs, now: clock, ...waits }, faultOfBug),
    hints,
    names: new ToolNames(hints),
    deadlineMs,
    answerMs,
    clock,
    now,
    createId: options.createId ?? idGenerator(now),
  };
}

/** Attempts return what they caught, so a throw is a bug. */
function faultOfBug(): Fault {
  return internal.fault({}, { origin: { layer: "client" } });
}

function boundTo<C extends ClientLike>(
  conversation: object | undefined,
  state: ClientState<C>,
): RecourseClient<C, InputRequired> {
  function make<T>(request: ClientRequest, options: CallOptions = {}): Promise<Outcome<T> | InputRequired> {
    const guard = loopGuardOf(options.conversation ?? conversation ?? bound);
    return new CallSession(state, request, options).run<T>(guard);
  }
  const bound: RecourseClient<C, InputRequired> = {
    call: (name, args, options) => make({ method: "tools/call", name, params: { name, arguments: args } }, options),
    read: (uri, options) => make({ method: "resources/read", name: uri, params: { uri } }, options),
    prompt: (name, args, options) => make({ method: "prompts/get", name, params: { name, arguments: args } }, options),
    async tools(options = {}) {
      const endMs = state.clock() + (options.deadlineMs ?? state.deadlineMs);
      const page = (cursor: string | undefined) => {
        const params = cursor === undefined ? {} : { cursor };
        const request = { method: "tools/list", name: "tools/list", params } as const;
        return make(request, { ...options, deadlineMs: endMs - state.clock() }) as Promise<Outcome<unknown>>;
      };
      const outcome = await allPages(page);
      if (outcome.ok) state.hints.learn(outcome.result);
      return outcome;
    },
    conversation: () => boundTo(undefined, state),
    get client() {
      return state.connection.client.client;
    },
  };
  return bound;
}

/** The loop guard of each conversation, for as long as the conversation is in use. */
const guards = new WeakMap<object, LoopGuard>();

function loopGuardOf(conversation: object): LoopGuard {
  const known = guards.get(conversation) ?? createLoopGuard();
  guards.set(conversation, known);
  return known;
}
