import { firstText } from "../../dialects/envelope.ts";
import { FaultError } from "../../fault/error.ts";
import { cancelled, timeout } from "../../reasons/library/core.ts";
import { invalid_cursor } from "../../reasons/library/pagination.ts";
import { description_too_long } from "../../reasons/library/tool.ts";
import { requestMeta, requestSignal } from "../../sdk/context.ts";
import type { SdkHandler, SdkRequest, SdkServer } from "../../sdk/server.ts";
import { arrayAt, isObject, memberAt, stringAt } from "../../wire/json.ts";
import { ABORTED, TIMED_OUT } from "../../wire/waiting.ts";
import { inputFailure } from "../calls/call-runner.ts";
import { declaresAnything } from "../calls/declares.ts";
import { isOwnHandler, OwnHandlers } from "../calls/own-handlers.ts";
import { TASK_ONLY_CODE, taskFault } from "../calls/tool-calls.ts";
import { requestLimit, runTimed } from "../deadline.ts";
import { bareAnswer, type LateReporter, NotLoadedError } from "../first-failure.ts";
import type { GuardOptions } from "../options.ts";
import { chosenDialect } from "../replies/dialect-choice.ts";
import {
  answeredCalls,
  deferredErrors,
  dialectRequest,
  isFailedResult,
  type PendingFailure,
  type ReplyPlace,
  reply,
  requestSpans,
  WireError,
} from "../replies/reply.ts";
import { callerInput, hasOutputSchema, requestFault } from "./validate-request.ts";

/** Wraps handlers where the SDK looks them up, so that it does not matter when they are registered or replaced. */
export function guardRequests(server: SdkServer, options: GuardOptions, reporter: LateReporter): void {
  const protocol = server.server;
  const handlers = protocol._requestHandlers;
  const own = new OwnHandlers(server, options, reporter);
  handlers.get = (method) => {
    const found = Map.prototype.get.call(handlers, method) as SdkHandler | undefined;
    const handler = found ?? protocol.fallbackRequestHandler;
    return handler && guardMethod(handler, { server, own, options, reporter });
  };
}

interface MethodParts {
  readonly server: SdkServer;
  readonly own: OwnHandlers;
  readonly options: GuardOptions;
  readonly reporter: LateReporter;
}

function guardMethod(handler: SdkHandler, { server, own, options, reporter }: MethodParts): SdkHandler {
  const answer = async (failure: PendingFailure, place: ReplyPlace) =>
    reply((await reporter.finish(failure, place)).wire);
  /** The result of a tool that did not come through the steps of the SDK: of a task, or of a handler in place of the SDK's. */
  async function checked(result: unknown, place: ReplyPlace): Promise<unknown> {
    if (!isFailedResult(result)) return result;
    const loaded = await reporter.load();
    const outcome = loaded.code.answerReturned(result, place, { options, reporter: loaded.reporter });
    return "result" in outcome ? outcome.result : reply(outcome.wire);
  }
  /** Runs a handler other than that of tools within the deadline; tools have their own, around the handler alone. */
  async function runMethod(request: SdkRequest, context: unknown): Promise<unknown> {
    const ms = requestLimit({ method: request.method }, context, options);
    const startedMs = reporter.monotonic();
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
      const elapsedMs = Math.max(0, Math.round(reporter.monotonic() - startedMs));
      throw timeout({ timeoutMs: Math.max(0, ms ?? 0), elapsedMs }, effect);
    }
    if (result === ABORTED) throw cancelled({}, effect);
    // The SDK of version 1, and version 2 with older clients, never answers with anything else.
    if (!isObject(result)) throw new TypeError("the handler returned no result");
    return result;
  }
  async function answered(request: SdkRequest, context: unknown): Promise<unknown> {
    const { method } = request;
    const startedMs = reporter.monotonic();
    const outputSchema = hasOutputSchema(request, server);
    const place = {
      method,
      tool: calledToolName(request),
      outputSchema,
      context,
      sent: callerInput(request),
      startedMs,
    };
    const page = () => runPage(request, (one) => runMethod(one, context));
    try {
      const invalid = requestFault(request, server);
      if (invalid !== undefined) return answer({ fault: invalid }, place);
      const taskOnly = taskFault(request, server);
      if (taskOnly !== undefined) return answer({ fault: taskOnly }, { ...place, code: TASK_ONLY_CODE });
      if (method === "tools/list") {
        const listed = await page();
        if (isOwnHandler("tools/call", server)) own.observe(listed);
        if (isOfCaller(context)) await reportLongDescriptions(listed, { reporter, options, context });
        const dialect = declaresAnything(listed)
          ? chosenDialect(options.dialect, dialectRequest({ method: "tools/call", context }))
          : undefined;
        return dialect?.codes === undefined ? listed : (await reporter.load()).code.withCodes(listed, dialect);
      }
      if (method === "tasks/result") {
        // Its answer is that of the call that became a task.
        return checked(await runMethod(request, context), { ...place, method: "tools/call" });
      }
      if (method !== "tools/call") return await page();
      const isOwn = isOwnHandler(method, server);
      const result = isOwn ? await own.call(handler, request, context) : await handler(request, context);
      const error = deferredErrors.get(context);
      if (error !== undefined) throw error;
      const fault = inputFailure(result, context, server.server);
      if (fault !== undefined) return answer({ fault, cause: new Error(firstText(result)) }, place);
      return answeredCalls.get(context) === true ? result : checked(result, place);
    } catch (cause) {
      const error = cause instanceof WireError ? cause : deferredErrors.get(context);
      if (error !== undefined) throw error;
      const missing = await own.missing(request, cause, context);
      if (missing !== undefined) return answer({ fault: missing }, place);
      const by = { code: reporter.guarded, options, meta: requestMeta(context), signal: requestSignal(context) };
      const loaded = await reporter.load();
      const { sentence, ...failure } = await loaded.code.methodFailure(cause, request, server, by);
      if (sentence !== undefined) {
        return loaded.code.answerSentence(sentence, place, { options, reporter: loaded.reporter });
      }
      // A FaultError says itself what failed.
      const uriTemplate = FaultError.is(cause) ? undefined : matchedTemplate(request, server);
      return answer(failure, { ...place, uriTemplate });
    }
  }
  async function surelyAnswered(request: SdkRequest, context: unknown): Promise<unknown> {
    try {
      return await answered(request, context);
    } catch (cause) {
      if (!(cause instanceof NotLoadedError)) throw cause;
      return bareAnswer(request.method);
    }
  }
  const { telemetry } = options;
  if (telemetry === undefined) return surelyAnswered;
  return (request, context) => {
    if (!isOfCaller(context)) return surelyAnswered(request, context);
    const { method, params } = request;
    const name = params?.["name"];
    const target = typeof name === "string" ? name : undefined;
    return telemetry.run(
      { what: "request", side: "server", method, name: target, meta: requestMeta(context) },
      (span) => {
        requestSpans.set(context, span);
        return surelyAnswered(request, context);
      },
    );
  };
}

/** Only a request of a caller has a signal; the kit itself asks for the list of tools, too. */
function isOfCaller(context: unknown): boolean {
  return requestSignal(context) !== undefined;
}

function calledToolName({ method, params }: SdkRequest): string | undefined {
  const name = params?.["name"];
  return method === "tools/call" && typeof name === "string" ? name : undefined;
}

const PAGED: readonly string[] = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];

/**
 * Runs the handler of a list. A cursor that its server never made is refused: the SDK's own handlers have no pages, and
 * answer any cursor with the whole list, so a client that continues with it reads the same list again and again. The list that
 * comes without the cursor shows it: the next page of a list is another page.
 */
async function runPage(request: SdkRequest, run: (request: SdkRequest) => Promise<unknown>): Promise<unknown> {
  const page = await run(request);
  const cursor = memberAt(request.params, "cursor");
  // An empty cursor is the habit of clients that ask for the first page.
  if (!PAGED.includes(request.method) || typeof cursor !== "string" || cursor === "") return page;
  if (await isFirstPage(page, request, run)) throw invalid_cursor({ cursor });
  return page;
}

async function isFirstPage(
  page: unknown,
  request: SdkRequest,
  run: (request: SdkRequest) => Promise<unknown>,
): Promise<boolean> {
  try {
    const { cursor: _cursor, ...params } = request.params ?? {};
    return JSON.stringify(page) === JSON.stringify(await run({ ...request, params }));
  } catch {
    return false;
  }
}

const LONG_DESCRIPTION = 10_000;
/** Over HTTP a server may live for one request only, so what was reported is remembered beyond it; up to a limit. */
const reported = new Set<string>();
const MAX_REPORTED = 1_000;

interface ListedTo {
  readonly reporter: LateReporter;
  readonly options: GuardOptions;
  readonly context: unknown;
}

/**
 * Reports, once for each tool, descriptions that are too long for a dialect that has a code for that. They are listed as they
 * are: the protocol has no limit, and a cut text would mislead a model that could have read it whole.
 */
async function reportLongDescriptions(listed: unknown, { reporter, options, context }: ListedTo): Promise<void> {
  for (const one of arrayAt(listed, "tools")) {
    const tool = stringAt(one, "name");
    const description = stringAt(one, "description") ?? "";
    const actualLength = descriptionLength(description);
    const what = `${actualLength} ${tool}`;
    if (actualLength <= LONG_DESCRIPTION || reported.has(what) || reported.size >= MAX_REPORTED) continue;
    const fault = description_too_long.fault({ actualLength, maxLength: LONG_DESCRIPTION });
    const place = { method: "tools/list", tool, context };
    const { code } = await reporter.load();
    const facts = code.describeCode(fault, options.dialect, dialectRequest(place));
    if (facts.code === undefined) continue;
    reported.add(what);
    await reporter.report(fault, undefined, place, facts);
  }
}

/** The number of characters, if the units of UTF-16 are too many; else that of the units, which costs nothing. */
function descriptionLength(text: string): number {
  return text.length > LONG_DESCRIPTION ? [...text].length : text.length;
}

/** The template that serves the resource of a request; undefined if a resource of its own does, or none. */
function matchedTemplate({ method, params }: SdkRequest, server: SdkServer): string | undefined {
  const { _registeredResources: resources, _registeredResourceTemplates: templates } = server;
  if (method !== "resources/read" || templates === undefined) return undefined;
  try {
    const uri = new URL(String(params?.["uri"])).toString();
    if (memberAt(resources, uri) !== undefined) return undefined;
    const all = Object.values(templates).map(({ resourceTemplate }) => resourceTemplate?.uriTemplate);
    return all.find((template) => template?.match(uri))?.toString();
  } catch {
    return undefined;
  }
}
