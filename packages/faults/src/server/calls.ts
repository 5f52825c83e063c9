import { FaultError } from "../fault/error.ts";
import type { Fault } from "../fault/fault.ts";
import { readFault } from "../fault/read.ts";
import { cancelled } from "../reasons/library/core.ts";
import { invalid_arguments, output_invalid, timeout } from "../reasons/library/tool.ts";
import { recogniseSdk } from "../reasons/unknown/sdk.ts";
import { toFault } from "../reasons/unknown/to-fault.ts";
import { issuesFor, pathsOf } from "./arguments/issues.ts";
import { LATE, withDeadline } from "./deadline.ts";
import { declaredBy } from "./declares.ts";
import { foreignFault } from "./foreign.ts";
import { looksFailed } from "./looks-failed.ts";
import type { GuardOptions } from "./options.ts";
import type { PeerServer, PeerTool } from "./peer.ts";
import { reply } from "./reply.ts";
import type { Reporter } from "./reporter.ts";
import { callerDeadline, signalOf } from "./request.ts";
import type { Schemas } from "./schemas.ts";

/** What travels from the input check to the handler's place when the arguments are refused. */
class Refusal {
  readonly fault: Fault;
  readonly cause: unknown;

  constructor(fault: Fault, cause?: unknown) {
    this.fault = fault;
    this.cause = cause;
  }
}

/** The caller gives up a little later than it says, and an answer takes a moment to arrive. */
const ANSWER_MARGIN_MS = 50;

/** Takes the place of the four steps that the SDK runs a tool through, whether it was registered before or after. */
export function guardCalls(peer: PeerServer, options: GuardOptions, reporter: Reporter, schemas: Schemas): void {
  const names = new WeakMap<PeerTool, string>();
  const original = {
    input: peer.validateToolInput.bind(peer),
    execute: peer.executeToolHandler.bind(peer),
    output: peer.validateToolOutput.bind(peer),
  };

  function answer(fault: Fault, cause: unknown, tool: PeerTool, context: unknown) {
    const name = names.get(tool);
    const declared = declaredBy(tool);
    const place = { method: "tools/call", tool: name, context, outputSchema: tool.outputSchema !== undefined };
    const out = reporter.release(fault, cause, place);
    if (options.development === true && declared !== undefined && !declared.includes(fault.reason)) {
      reporter.count("undeclared");
      reporter.tell(out, new Error(`${name} did not declare ${fault.reason}`), place);
    }
    return reply(out, place, options, peer.server);
  }

  peer.validateToolInput = async (tool, args, name) => {
    names.set(tool, name);
    try {
      return await original.input(tool, args, name);
    } catch (cause) {
      return new Refusal(await refusalFor(tool, args, name, cause), cause);
    }
  };

  /** The SDK's own refusal is about the arguments; anything else was thrown by the schema itself. */
  async function refusalFor(tool: PeerTool, args: unknown, name: string, cause: unknown): Promise<Fault> {
    if (recogniseSdk(cause) === undefined) return foreignFault(cause, options);
    const issues = issuesFor(args ?? {}, await schemas.inputOf(name), await pathsFrom(tool.inputSchema, args ?? {}));
    return invalid_arguments.fault({ tool: name }, issues.length > 0 ? { issues } : {});
  }

  peer.executeToolHandler = async (tool, args, context) => {
    if (args instanceof Refusal) return answer(args.fault, args.cause, tool, context);
    const limitMs = limitFor(names.get(tool) ?? "", context);
    try {
      const run = () => original.execute(tool, args, context);
      const result =
        limitMs === undefined
          ? await run()
          : await withDeadline({ limitMs, signal: signalOf(context), onLate: () => reporter.count("late"), run });
      if (result === LATE) return answer(lateFault(tool, limitMs, context), undefined, tool, context);
      return await checked(tool, result, context);
    } catch (cause) {
      return answer(thrownBy(tool, cause), cause, tool, context);
    }
  };

  /** A tool that only reads changed nothing, whatever it threw; its author said so. */
  function thrownBy(tool: PeerTool, cause: unknown): Fault {
    const fault = foreignFault(cause, options);
    if (tool.annotations?.readOnlyHint !== true || FaultError.is(cause) || fault.effect !== "possible") return fault;
    const { recourse: _derivedAnew, ...rest } = fault;
    return readFault({ ...rest, effect: "none" }, options) ?? fault;
  }

  function lateFault(tool: PeerTool, limitMs: number | undefined, context: unknown): Fault {
    if (signalOf(context)?.aborted === true) return cancelled.fault();
    const name = names.get(tool);
    return timeout.fault({
      ...(name !== undefined && { tool: name }),
      ...(limitMs !== undefined && { timeoutMs: limitMs }),
    });
  }

  /** What a handler returned, once its promises are kept. */
  async function checked(tool: PeerTool, result: unknown, context: unknown): Promise<unknown> {
    try {
      await original.output(tool, result, names.get(tool) ?? "");
    } catch (cause) {
      return answer(output_invalid.fault(), cause, tool, context);
    }
    const { test = looksFailed, answer: habit = "report" } = options.looksFailed ?? {};
    if (habit === "ignore" || !test(result)) return result;
    reporter.count("looksFailed");
    const place = { method: "tools/call", tool: names.get(tool), context };
    const fault = toFault(undefined);
    if (habit === "fail") return answer(fault, result, tool, context);
    reporter.tell(fault, new Error("a result looks like a failure, but is not marked as one"), place);
    return result;
  }

  // Already done above, where a failure can still become an answer.
  peer.validateToolOutput = async () => {};

  // Whatever text still gets here was written by nobody for anybody.
  peer.createToolError = (text) => {
    const place = { method: "tools/call", context: undefined };
    return reply(reporter.release(toFault(undefined), new Error(text), place), place, options, peer.server);
  };

  const polling = peer.handleAutomaticTaskPolling?.bind(peer);
  if (polling !== undefined) {
    peer.handleAutomaticTaskPolling = async (tool, request, context) => {
      try {
        return await polling(tool, request, context);
      } catch (cause) {
        return answer(thrownBy(tool, cause), cause, tool, context);
      }
    };
  }

  function limitFor(name: string, context: unknown): number | undefined {
    const own = typeof options.deadlineMs === "function" ? options.deadlineMs(name) : options.deadlineMs;
    const callers = callerDeadline(context);
    const limits = [own, callers === undefined ? undefined : Math.max(0, callers - ANSWER_MARGIN_MS)];
    const known = limits.filter((limit) => limit !== undefined);
    return known.length === 0 ? undefined : Math.min(...known);
  }
}

/** Where a Standard Schema says the arguments fail; nothing for other schemas, whose JSON Schema is checked instead. */
async function pathsFrom(schema: unknown, args: unknown): Promise<readonly (readonly (string | number)[])[]> {
  try {
    const standard = (schema as { readonly "~standard"?: { validate?(value: unknown): unknown } } | undefined)?.[
      "~standard"
    ];
    const outcome = (await standard?.validate?.(args)) as { readonly issues?: unknown } | undefined;
    return pathsOf(outcome?.issues);
  } catch {
    return [];
  }
}
