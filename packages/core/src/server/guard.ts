import { guardedCode } from "../reasons/thrown/frames.ts";
import { asSdkServer, hasRegisteredTools, type SdkProtocol } from "../sdk/server.ts";
import { parseJson } from "../wire/json.ts";
import { FAULTS_EXTENSION } from "../wire/names.ts";
import type { FunctionEnding } from "./calls/failed-call.ts";
import { guardTasks, guardToolCalls } from "./calls/tool-calls.ts";
import { checkDeadline } from "./deadline.ts";
import { hintsOfProcess } from "./development-hints.ts";
import { bareResult, LateReporter, NotLoadedError } from "./first-failure.ts";
import { setCallerRule } from "./idempotency/caller.ts";
import type { GuardOptions, GuardStats } from "./options.ts";
import { withDialectText } from "./replies/dialect-choice.ts";
import { guardReplies } from "./replies/guard-replies.ts";
import { isFailedResult } from "./replies/reply.ts";
import { guardRequests } from "./requests/guard-requests.ts";

/** Marks a guarded server. A property costs nothing; a WeakMap with a server per request keeps the collector busy. */
const GUARD_MARK = Symbol("recourse/guard");
interface Guarded {
  [GUARD_MARK]?: LateReporter;
}

/**
 * Turns every failure of an `McpServer` or a low-level `Server` (SDK 1.24 and later, or 2.x) into an answer that says what to
 * do next, and returns the same server. Handlers stay as they are, whether you register them before or after. Sentences that
 * they throw or return reach callers without the secrets that a rule finds. Of errors of others, callers read only the text
 * that was written for callers, filtered and quoted; `foreignText` changes that.
 *
 * It throws a TypeError if the server is not one that it knows. Of an `McpServer`, pass the server itself, not its `server`.
 *
 * @example
 * const server = guard(new McpServer({ name: "orders", version: "1.0.0" }));
 */
export function guard<T extends object>(server: T, given: GuardOptions = {}): T {
  if (isGuarded(server)) return server;
  const options = withDialectText(given);
  const known = asSdkServer(server);
  if (isGuarded(known.server)) {
    throw new TypeError("guard takes the McpServer itself, but the low-level Server inside it is guarded already");
  }
  checkDeadline(options.deadlineMs);
  const reporter = new LateReporter({
    guarded: guardedCode(guard),
    testing: options.testing,
    make: (code, guarded) => code.serverReporter(options, guarded, () => known.server._negotiatedProtocolVersion),
  });
  if (hasRegisteredTools(known)) guardToolCalls(known, options, reporter);
  guardRequests(known, options, reporter);
  guardReplies(known, reporter);
  guardTasks(known);
  const { store, honoursKeys, caller } = options.idempotency ?? {};
  announceExtension(known.server, store !== undefined || honoursKeys === true);
  setCallerRule(server, caller);
  (server as Guarded)[GUARD_MARK] = reporter;
  (known.server as Guarded)[GUARD_MARK] = reporter;
  hintsOfProcess()?.guarded(known, reporter.guarded);
  return server;
}

/** Tells whether a server is guarded. */
export function isGuarded(server: object): boolean {
  return (server as Guarded)[GUARD_MARK] !== undefined;
}

/** What a guarded server has counted so far; all zero for a server that is not guarded. */
export function guardStats(server: object): GuardStats {
  return (server as Guarded)[GUARD_MARK]?.stats ?? { late: 0, looksFailed: 0 };
}

/** Tells clients that faults travel whole. A server that is already connected cannot announce it any more. */
function announceExtension(protocol: SdkProtocol, keys: boolean): void {
  try {
    protocol.registerCapabilities?.({ extensions: { [FAULTS_EXTENSION]: { v: 1, keys } } });
  } catch {
    // The announcement only informs.
  }
}

/** Options of `guardTool`. They mean what they mean for `guard`. */
export interface GuardToolOptions
  extends Pick<
    GuardOptions,
    "sink" | "foreignText" | "allow" | "speaksFaults" | "name" | "docsBase" | "reportCallerErrors" | "testing"
  > {
  /**
   * The annotations that you give to the framework. A tool with `readOnlyHint` changed nothing when it fails, unless the
   * fault that you throw states an effect; a call of one with `idempotentHint` may be made again.
   * @default none: the tool may change something
   */
  readonly annotations?:
    | { readonly readOnlyHint?: boolean | undefined; readonly idempotentHint?: boolean | undefined }
    | undefined;
}

/** The result of a tool call that failed. */
export interface ToolFailure {
  /** Marks the result as a failure. */
  isError: true;
  /** The text for the model. */
  content: { type: "text"; text: string }[];
  /** The fault, in `recourse/fault`. Read it with `readFault`, which adds the next moves where they follow from the rest. */
  _meta: Record<string, unknown>;
}

/**
 * Guards the function of one tool, for servers that are not written with the official SDK, such as FastMCP: what it throws
 * becomes a tool result that says what to do next, and an incident if an operator has to know about it. A failed result that
 * it returns is checked as by `guard`. The framework must pass on a result with `content`, `isError` and `_meta` as it is.
 *
 * The first argument counts as the arguments of the call. Checks of arguments, deadlines and idempotency keys stay with the
 * framework.
 *
 * @example
 * server.addTool({ name: "cancel_order", parameters, execute: guardTool("cancel_order", cancelOrder) });
 */
export function guardTool<A extends readonly unknown[], R>(
  tool: string,
  run: (...args: A) => R | Promise<R>,
  options: GuardToolOptions = {},
): (...args: A) => Promise<R | ToolFailure> {
  const reporter = new LateReporter({
    guarded: guardedCode(guardTool),
    testing: options.testing,
    make: (code, guarded) => code.serverReporter(options, guarded),
  });
  return async (...args) => {
    const startedMs = reporter.monotonic();
    const answer = async (ending: FunctionEnding) => {
      const place = { method: "tools/call", tool, context: undefined, sent: asSent(args[0]), startedMs };
      try {
        const { code, reporter: made } = await reporter.load();
        return code.answerFunction(ending, place, { options, reporter: made, tool: options }) as R | ToolFailure;
      } catch (cause) {
        if (!(cause instanceof NotLoadedError)) throw cause;
        return bareResult() as unknown as ToolFailure;
      }
    };
    let returned: R;
    try {
      returned = await run(...args);
    } catch (thrown) {
      return answer({ thrown });
    }
    return isFailedResult(returned) ? answer({ returned }) : returned;
  };
}

/** The arguments as a caller can have sent them. A framework may pass on more than that, such as getters that throw. */
function asSent(args: unknown): unknown {
  try {
    return parseJson(JSON.stringify(args) ?? "");
  } catch {
    return undefined;
  }
}
