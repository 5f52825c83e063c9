import { ABORTED, TIMED_OUT } from "../../async/race.ts";
import { firstText } from "../../dialects/envelope.ts";
import { FaultError } from "../../fault/error.ts";
import { isObject } from "../../json/read.ts";
import { cancelled, timeout } from "../../reasons/library/core.ts";
import { metaOf, signalOf } from "../../sdk/context.ts";
import type { SdkHandler, SdkRequest, SdkServer } from "../../sdk/server.ts";
import { answerReturned, wasAnswered } from "../calls/answer-returned.ts";
import { inputFailure } from "../calls/input-requests.ts";
import { isFailedResult } from "../calls/returned-failure.ts";
import { sentWith } from "../calls/sent-by-caller.ts";
import { TASK_ONLY_CODE, taskFaultOf } from "../calls/tasks.ts";
import { withCodes } from "../calls/tool-codes.ts";
import { limitFor, runTimed } from "../deadline.ts";
import type { GuardOptions } from "../options.ts";
import { deferredError } from "../replies/deferred-error.ts";
import { type ReplyPlace, reply, WireError, writeReply } from "../replies/reply.ts";
import type { Failure, Reporter } from "../reporter.ts";
import { rememberSpan } from "../spans.ts";
import { runPage } from "./ignored-cursor.ts";
import { reportLongDescriptions } from "./long-descriptions.ts";
import { methodFailureOf } from "./map-sdk-error.ts";
import { templateOf } from "./resource-template.ts";
import { hasOutputSchema, requestFaultOf } from "./validate-request.ts";

/** Wraps handlers where the SDK looks them up, so that it does not matter when they are registered or replaced. */
export function guardRequests(server: SdkServer, options: GuardOptions, reporter: Reporter): void {
  const protocol = server.server;
  const handlers = protocol._requestHandlers;
  handlers.get = (method) => {
    const found = Map.prototype.get.call(handlers, method) as SdkHandler | undefined;
    const handler = found ?? protocol.fallbackRequestHandler;
    return handler && guarded(handler, server, options, reporter);
  };
}

function guarded(handler: SdkHandler, server: SdkServer, options: GuardOptions, reporter: Reporter): SdkHandler {
  const answer = (failure: Failure, place: ReplyPlace) =>
    reply(reporter.finalize(failure, place), place, options, server.server);
  /** The result of a tool that did not come through the steps of the SDK: of a task, or of a handler in place of the SDK's. */
  function checked(result: unknown, place: ReplyPlace): unknown {
    if (!isFailedResult(result)) return result;
    const outcome = answerReturned(result, place, {
      options,
      finalize: (failure, at) => reporter.finalize(failure, at),
      write: (fault, at) => writeReply(fault, at, options, server.server),
    });
    return "result" in outcome ? outcome.result : reply(outcome.fault, place, options, server.server);
  }
  /** Runs a handler other than that of tools within the deadline; tools have their own, around the handler alone. */
  async function runMethod(request: SdkRequest, context: unknown): Promise<unknown> {
    const ms = limitFor({ method: request.method }, context, options);
    const startedMs = reporter.now();
    let hasBegun = false;
    const result = await runTimed({
      ms,
      context,
      run: async (timed) => {
        hasBegun = true;
        return handler(request, timed);
      },
      onLate: () => reporter.count("late"),
    });
    const effect = hasBegun ? {} : ({ effect: "none" } as const);
    if (result === TIMED_OUT) {
      const elapsedMs = Math.max(0, reporter.now() - startedMs);
      throw timeout({ timeoutMs: Math.max(0, ms ?? 0), elapsedMs }, effect);
    }
    if (result === ABORTED) throw cancelled({}, effect);
    // The SDK of version 1, and version 2 with older clients, never answers with anything else.
    if (!isObject(result)) throw new TypeError("the handler returned no result");
    return result;
  }
  async function answered(request: SdkRequest, context: unknown): Promise<unknown> {
    const { method } = request;
    const startedMs = reporter.now();
    const outputSchema = hasOutputSchema(request, server);
    const place = { method, tool: toolOf(request), outputSchema, context, sent: sentWith(request), startedMs };
    const page = () => runPage(request, (one) => runMethod(one, context));
    try {
      const invalid = requestFaultOf(request, server);
      if (invalid !== undefined) return answer({ fault: invalid }, place);
      const taskOnly = taskFaultOf(request, server);
      if (taskOnly !== undefined) return answer({ fault: taskOnly }, { ...place, code: TASK_ONLY_CODE });
      if (method === "tools/list") {
        const listed = await page();
        if (isOfCaller(context)) reportLongDescriptions(server._registeredTools, { reporter, options, context });
        return withCodes(listed, server._registeredTools, { options, context });
      }
      if (method === "tasks/result") {
        // Its answer is that of the call that became a task.
        return checked(await runMethod(request, context), { ...place, method: "tools/call" });
      }
      if (method !== "tools/call") return await page();
      const result = await handler(request, context);
      const error = deferredError(context);
      if (error !== undefined) throw error;
      const fault = inputFailure(result, context, server.server);
      if (fault !== undefined) return answer({ fault, cause: new Error(firstText(result)) }, place);
      return wasAnswered(context) ? result : checked(result, place);
    } catch (cause) {
      const error = cause instanceof WireError ? cause : deferredError(context);
      if (error !== undefined) throw error;
      const failure = await methodFailureOf(cause, request, server, options);
      // A FaultError says itself what failed.
      const uriTemplate = FaultError.is(cause) ? undefined : templateOf(request, server);
      return answer(failure, { ...place, uriTemplate });
    }
  }
  const { telemetry } = options;
  if (telemetry === undefined) return answered;
  return (request, context) => {
    if (!isOfCaller(context)) return answered(request, context);
    const { method, params } = request;
    const name = params?.["name"];
    const target = typeof name === "string" ? name : undefined;
    return telemetry.run({ what: "request", side: "server", method, name: target, meta: metaOf(context) }, (span) => {
      rememberSpan(context, span);
      return answered(request, context);
    });
  };
}

/** Only a request of a caller has a signal; the kit itself asks for the list of tools, too. */
function isOfCaller(context: unknown): boolean {
  return signalOf(context) !== undefined;
}

function toolOf({ method, params }: SdkRequest): string | undefined {
  const name = params?.["name"];
  return method === "tools/call" && typeof name === "string" ? name : undefined;
}
