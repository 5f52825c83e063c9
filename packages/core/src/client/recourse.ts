import type { Decoder } from "../dialects/dialect.ts";
import { FaultError } from "../fault/error.ts";
import { FAULT_LIMITS, type Fault } from "../fault/fault.ts";
import { deliverIncident } from "../incidents/incident.ts";
import { internal } from "../reasons/library/core.ts";
import { renderQuote } from "../render/issues.ts";
import { attribute } from "../render/model.ts";
import { createEngine, type RetryEngine } from "../retry/engine.ts";
import { createLoopGuard, type LoopGuard } from "../retry/loop-guard.ts";
import type { ClientLike, ListedTool, ResultOf } from "../sdk/client.ts";
import { checkNumber, checkNumbers } from "../wire/check-number.ts";
import { toClock } from "../wire/clock.ts";
import { idGenerator } from "../wire/ids.ts";
import { CallSession } from "./call-session.ts";
import type { ClientState, McpRequest } from "./client-state.ts";
import { ClientConnection, connectFault } from "./connection.ts";
import type { CallOptions, InputRequired, Outcome, RecourseOptions } from "./options.ts";
import { allPages, ToolHints, ToolLookup } from "./tool-list.ts";

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
 * a TypeError if `client` is not an MCP client, and says what is missing.
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
  return bindClient(options.conversation, createState(client, options));
}

function createState<C extends ClientLike>(client: C, options: RecourseOptions<C>): ClientState<C> {
  checkNumbers("", options, { deadlineMs: { min: 1 }, timeoutMs: { min: 1 } });
  const { deadlineMs = DEADLINE_MS, timeoutMs = deadlineMs, server = {}, sink, testing = {} } = options;
  const { now, monotonic, sleep } = toClock(testing);
  const answerMs = Math.min(timeoutMs, deadlineMs);
  const onFailed = (fault: Fault, cause: unknown) => {
    const at = new Date(now()).toISOString();
    if (sink !== undefined)
      deliverIncident(sink, { fault, cause, at, method: "reconnect", durationMs: 0, attempts: 1 });
  };
  const readError = (cause: unknown) => connectFault(cause, options);
  const hints = new ToolHints(server.tools);
  return {
    options,
    connection: new ClientConnection(client, { reconnect: options.reconnect, sleep, readError, onFailed }),
    engine: createClientEngine(options),
    hints,
    lookup: new ToolLookup(hints),
    deadlineMs,
    answerMs,
    monotonic,
    now,
    createId: testing.createId ?? idGenerator(now),
  };
}

function createClientEngine(options: Pick<RecourseOptions, "retry" | "server" | "testing">): RetryEngine {
  const { retry = {}, server, testing } = options;
  const { budget, breaker } = retry;
  const policy = { ...server?.dialect?.contract?.policy, ...retry.policy };
  return createEngine({ policy, budget, breaker, testing, path: "retry." }, faultOfBug);
}

/** Attempts return what they caught, so a throw is a bug. */
function faultOfBug(): Fault {
  return internal.fault({}, { origin: { layer: "client" } });
}

function bindClient<C extends ClientLike>(
  conversation: object | undefined,
  state: ClientState<C>,
): RecourseClient<C, InputRequired> {
  function make<T>(request: McpRequest, options: CallOptions = {}): Promise<Outcome<T> | InputRequired> {
    const guard = conversationGuard(options.conversation ?? conversation ?? bound);
    return new CallSession(state, request, options).run<T>(guard);
  }
  const bound: RecourseClient<C, InputRequired> = {
    call: (name, args, options) => make({ method: "tools/call", name, params: { name, arguments: args } }, options),
    read: (uri, options) => make({ method: "resources/read", name: uri, params: { uri } }, options),
    prompt: (name, args, options) => make({ method: "prompts/get", name, params: { name, arguments: args } }, options),
    async tools(options = {}) {
      const endMs = state.monotonic() + (options.deadlineMs ?? state.deadlineMs);
      const page = (cursor: string | undefined) => {
        const params = cursor === undefined ? {} : { cursor };
        const request = { method: "tools/list", name: "tools/list", params } as const;
        return make(request, { ...options, deadlineMs: endMs - state.monotonic() }) as Promise<Outcome<unknown>>;
      };
      const outcome = await allPages(page);
      if (outcome.ok) state.hints.learn(outcome.result);
      return outcome;
    },
    conversation: () => bindClient(undefined, state),
    get client() {
      return state.connection.client.client;
    },
  };
  return bound;
}

const guards = new WeakMap<object, LoopGuard>();

function conversationGuard(conversation: object): LoopGuard {
  const known = guards.get(conversation) ?? createLoopGuard();
  guards.set(conversation, known);
  return known;
}

/** Options of `callWithRetry`. */
export interface CallWithRetryOptions extends CallOptions {
  /** All attempts of the call, the first included: from 1 to 10. @default 3 */
  readonly attempts?: number;
  /** The dialect that the server is known to write. @default any known one is recognised */
  readonly dialect?: Decoder;
  /**
   * The message of the error that is thrown.
   * @default what the document of the dialect says, or else the name of the tool and what the server said
   */
  readonly describe?: (tool: string, fault: Fault) => string;
}

/** As long as the SDK itself waits for one answer. */
const TIMEOUT_MS = 60_000;

/** One for each client, number of attempts and dialect, so that budget and breaker remember earlier calls. */
const sharedClients = new WeakMap<object, Map<number, WeakMap<object, RecourseClient>>>();

/**
 * Calls a tool, retries the call if that is safe, returns its result, and throws a FaultError if it fails. Use
 * `recourse` instead if you make more than a few calls. With a dialect that has a `contract`, waits, attempts and the
 * message are those of its document, and each call stands alone: no budget, breaker, loop guard or common deadline.
 *
 * @example
 * const result = await callWithRetry(client, "cancel_order", { order: 7 }, { attempts: 2 });
 */
export async function callWithRetry<C extends ClientLike>(
  client: C,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  options: CallWithRetryOptions = {},
): Promise<ResultOf<C, "callTool">> {
  const { attempts = 3, dialect, describe = dialect?.contract?.describe ?? sentenceFor, ...callOptions } = options;
  checkNumber("attempts", attempts, { min: 1, max: 10, whole: true });
  const outcome = await sharedClient(client, attempts, dialect).call(name, args, callOptions);
  if (outcome.ok) return outcome.result as ResultOf<C, "callTool">;
  const error = new FaultError(outcome.fault);
  error.message = describe(name, outcome.fault);
  // The stack shows the message of the moment when it was taken.
  Error.captureStackTrace?.(error, callWithRetry);
  throw error;
}

function sharedClient(client: ClientLike, attempts: number, dialect: Decoder | undefined): RecourseClient {
  const server = { ...(dialect && { dialect }) };
  const policy = { attempts };
  if (dialect?.contract !== undefined) {
    const retry = { policy, budget: false, breaker: false } as const;
    return recourse(client, { retry, server, deadlineMs: Number.POSITIVE_INFINITY, timeoutMs: TIMEOUT_MS });
  }
  const byAttempts = sharedClients.get(client) ?? new Map<number, WeakMap<object, RecourseClient>>();
  sharedClients.set(client, byAttempts);
  const byDialect = byAttempts.get(attempts) ?? new WeakMap<object, RecourseClient>();
  byAttempts.set(attempts, byDialect);
  const one = byDialect.get(dialect ?? client) ?? recourse(client, { retry: { policy }, server });
  byDialect.set(dialect ?? client, one);
  return one;
}

/** Frameworks show the message of an error to their model, so the words of the server stand in quotation marks. */
function sentenceFor(tool: string, fault: Fault): string {
  const { message, quote } = attribute(fault);
  const said = quote === undefined ? "" : ` ${renderQuote(quote, { maxLength: FAULT_LIMITS.quote })}`;
  return `${tool} failed: ${message}${said}`;
}
