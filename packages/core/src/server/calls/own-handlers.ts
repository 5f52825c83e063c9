// The handlers that an author sets for methods of the protocol: those of the low-level `Server`, and those of an `McpServer`
// that has registered nothing there. What such a server has is known only from the answers of its own lists.

import { firstText } from "../../dialects/envelope.ts";
import { FaultError } from "../../fault/error.ts";
import type { Fault } from "../../fault/fault.ts";
import { not_found as prompt_not_found } from "../../reasons/library/prompt.ts";
import { not_found as resource_not_found } from "../../reasons/library/resource.ts";
import { invalid_arguments, not_found as tool_not_found } from "../../reasons/library/tool.ts";
import type { JsonSchema } from "../../schema/scope.ts";
import {
  knowsFromRegistry,
  type Registered,
  type SdkHandler,
  type SdkRequest,
  type SdkServer,
  type SdkTool,
} from "../../sdk/server.ts";
import { arrayAt, isObject, memberAt, stringAt } from "../../wire/json.ts";
import { race, sleep } from "../../wire/waiting.ts";
import { type LateReporter, loadFailures } from "../first-failure.ts";
import type { GuardOptions } from "../options.ts";
import { isFailedResult } from "../replies/reply.ts";
import { nearCandidates, uriFault } from "../requests/validate-request.ts";
import { ToolCallRunner, ToolInput } from "./call-runner.ts";

/** What the requests of a method name, and where the server lists it. */
interface NamedThing {
  readonly list: string;
  readonly member: Registered;
  readonly by: "name" | "uri";
  readonly missing: (name: string, listed: readonly string[]) => Fault;
}

const NAMED = {
  "tools/call": {
    list: "tools/list",
    member: "tools",
    by: "name",
    missing: (tool, listed) => tool_not_found.fault({ tool }, nearCandidates(tool, listed)),
  },
  "prompts/get": {
    list: "prompts/list",
    member: "prompts",
    by: "name",
    missing: (prompt, listed) => prompt_not_found.fault({ prompt }, nearCandidates(prompt, listed)),
  },
  "resources/read": {
    list: "resources/list",
    member: "resources",
    by: "uri",
    missing: (uri) => uriFault(uri) ?? resource_not_found.fault({ uri }),
  },
} as const satisfies Readonly<Record<string, NamedThing>>;

/** Whether the handler of a method is the author's own, as far as the registries say. */
export function isOwnHandler(method: string, server: SdkServer): method is keyof typeof NAMED {
  return Object.hasOwn(NAMED, method) && !knowsFromRegistry(server, NAMED[method as keyof typeof NAMED].member);
}

/** How long an answer is kept back for the list of the server, which may come from another server. */
const MAX_LIST_MS = 1_000;
/** A list with more pages than this counts as unknown. */
const MAX_LIST_PAGES = 50;

export class OwnHandlers {
  readonly #server: SdkServer;
  readonly #options: GuardOptions;
  readonly #reporter: LateReporter;
  readonly #runner: ToolCallRunner;
  /** The tools as they were last listed. */
  readonly #tools = new Map<string, SdkTool>();

  constructor(server: SdkServer, options: GuardOptions, reporter: LateReporter) {
    this.#server = server;
    this.#options = options;
    this.#reporter = reporter;
    this.#runner = new ToolCallRunner({ options, reporter, protocol: server.server });
  }

  /** Remembers what the server says of its tools. */
  observe(listed: unknown): void {
    for (const tool of arrayAt(listed, "tools")) {
      const name = stringAt(tool, "name");
      if (name !== undefined) this.#tools.set(name, tool as SdkTool);
    }
  }

  /** Calls a tool through the handler of the author, with all that a registered tool gets. */
  async call(handler: SdkHandler, request: SdkRequest, context: unknown): Promise<unknown> {
    const { name, arguments: sent } = request.params ?? {};
    const tool = String(name);
    const startedMs = this.#reporter.monotonic();
    const learn = () => this.#tool(tool, context);
    const known = this.#options.checkArguments === true ? await learn() : this.#tools.get(tool);
    const refused = this.#options.checkArguments === true ? await argumentsFailure(tool, sent, known) : undefined;
    const input = new ToolInput({ tool, sent, args: sent, startedMs, ...(refused && { refused }) });
    const handle = (timed: unknown) => this.#handled(handler, request, timed);
    return this.#runner.answer({ tool: known, learn, input, context, handle });
  }

  async #handled(handler: SdkHandler, request: SdkRequest, context: unknown): Promise<unknown> {
    let result: unknown;
    try {
      result = await handler(request, context);
    } catch (thrown) {
      const { meaningOfOwn } = await loadFailures();
      const cause = meaningOfOwn(thrown);
      const missing = await this.missing(request, cause, context);
      throw missing === undefined ? cause : new FaultError(missing);
    }
    const missing = isFailedResult(result) ? await this.missing(request, firstText(result), context) : undefined;
    if (missing !== undefined) throw new FaultError(missing);
    return result;
  }

  /**
   * The fault of a name that the server does not have: its handler refused it, by what it threw or returned, and its list does
   * not have it. Both, since a server may serve tools that it does not list, and a listed tool may fail with any words.
   */
  async missing({ method, params }: SdkRequest, refusal: unknown, context: unknown): Promise<Fault | undefined> {
    if (!isOwnHandler(method, this.#server) || FaultError.is(refusal)) return undefined;
    const { by, missing } = NAMED[method];
    const name = String(params?.[by]);
    const { refusesName } = await loadFailures();
    const isWrongUri = by === "uri" && uriFault(name) !== undefined;
    if (!isWrongUri && !refusesName(refusal, name)) return undefined;
    const listed = (await this.#list(method, context))?.map((one) => stringAt(one, by) ?? "");
    return listed === undefined || listed.includes(name) ? undefined : missing(name, listed);
  }

  /** A tool as the server lists it; undefined if it does not. */
  async #tool(name: string, context: unknown): Promise<SdkTool | undefined> {
    if (!this.#tools.has(name)) this.observe({ tools: await this.#list("tools/call", context) });
    return this.#tools.get(name);
  }

  /** The whole list, for the caller of a request; undefined if the server does not have it in time. */
  async #list(method: keyof typeof NAMED, context: unknown): Promise<readonly unknown[] | undefined> {
    const { list, member } = NAMED[method];
    // The handler itself: this is not a request of a caller.
    const handler = Map.prototype.get.call(this.#server.server._requestHandlers, list) as SdkHandler | undefined;
    const listed = await race(readWholeList(handler, list, { member, context }), { ms: MAX_LIST_MS, sleep });
    return Array.isArray(listed) ? listed : undefined;
  }
}

/** Asks for every page of a list; never rejects. */
async function readWholeList(
  handler: SdkHandler | undefined,
  method: string,
  { member, context }: { readonly member: string; readonly context: unknown },
): Promise<readonly unknown[] | undefined> {
  const listed: unknown[] = [];
  let params: { readonly cursor?: string } = {};
  try {
    for (let page = 0; page < MAX_LIST_PAGES; page += 1) {
      const answer = await handler?.({ method, params }, context);
      if (!Array.isArray(memberAt(answer, member))) return undefined;
      listed.push(...arrayAt(answer, member));
      const cursor = stringAt(answer, "nextCursor");
      if (cursor === undefined) return listed;
      params = { cursor };
    }
  } catch {
    // Without its list, nothing is known of the server.
  }
  return undefined;
}

async function argumentsFailure(tool: string, sent: unknown, listed: SdkTool | undefined) {
  const schema = listed?.inputSchema;
  // A server that wants its arguments checked needs the checker at its first call.
  const { checkArguments } = await import("../../schema/issues.ts");
  const issues = isObject(schema) ? checkArguments(sent ?? {}, schema as JsonSchema) : [];
  return issues.length === 0 ? undefined : { fault: invalid_arguments.fault({ tool }, { issues }) };
}
