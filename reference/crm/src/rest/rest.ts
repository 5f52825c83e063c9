import { auth } from "@recourse/faults/reasons";
import type { Database, Fetch, Limiter } from "@recourse/reference-shared";
import { createFindKey, type FindKey } from "../access/keys.ts";
import { checkRateLimit, checkWriteAccess, workspaceOf } from "../access/permit.ts";
import { accessOf } from "../operations/operation.ts";
import { crm } from "../reasons.ts";
import { openapiDocument } from "./document.ts";
import { readInput, WORKSPACE } from "./input.ts";
import { type Match, matchOperation } from "./match.ts";
import { failure, type ReplyOptions, success } from "./reply.ts";

/** Options of the REST API. */
export interface RestOptions extends ReplyOptions {
  readonly database: Database;
  readonly limiter: Limiter;
}

/** Creates the REST API. */
export function createRest(options: RestOptions): Fetch {
  const findKey = createFindKey(options.database, options.now);
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/openapi.json") return success(openapiDocument(), 200, options);
    const match = matchOperation(request.method, pathname);
    try {
      return "operation" in match
        ? await runOperation(match, request, findKey, options)
        : notServedResponse(match, options);
    } catch (thrown) {
      const isWrite = "operation" in match && accessOf(match.operation) === "write";
      return failure(thrown, options, { bugEffect: isWrite ? "possible" : "none" });
    }
  };
}

/** Checks key, limit, input, workspace and access in this order, then runs the operation. */
async function runOperation(
  { operation, values }: Extract<Match, { operation: unknown }>,
  request: Request,
  findKey: FindKey,
  options: RestOptions,
): Promise<Response> {
  const key = await findKey(request.headers.get("authorization"));
  if (key === undefined) throw auth.unauthorized();
  checkRateLimit(key, options.limiter);
  const input = await readInput(operation, values, request);
  const workspace = workspaceOf(key, new URL(request.url).searchParams.get(WORKSPACE));
  checkWriteAccess(key, accessOf(operation));
  const payload = await operation.run(input, { database: options.database, workspace });
  return success(payload, operation.success, options);
}

function notServedResponse(match: Exclude<Match, { operation: unknown }>, options: RestOptions): Response {
  if (match.none === "path") return failure(crm.address_not_found(), options);
  return failure(crm.method_not_served(), options, { status: 405, headers: { allow: match.allowed.join(", ") } });
}
