import { auth } from "@recourse/faults";
import type { Database, Fetch, Limiter } from "@recourse/reference-ground";
import { type FindKey, keysIn } from "../access/keys.ts";
import { checkAccess, takeCall, workspaceFor } from "../access/permit.ts";
import { accessOf } from "../operations/operation.ts";
import { crm } from "../reasons.ts";
import { openapiDocument } from "./document.ts";
import { readInput, WORKSPACE } from "./input.ts";
import { type Match, matchOperation } from "./match.ts";
import { failure, type ReplyParts, success } from "./reply.ts";

/** What the REST API is made of. */
export interface RestOptions extends ReplyParts {
  readonly database: Database;
  readonly limiter: Limiter;
}

/** The REST API as one function of requests. */
export function createRest(options: RestOptions): Fetch {
  const findKey = keysIn(options.database, options.now);
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/openapi.json") return success(openapiDocument(), 200, options);
    const match = matchOperation(request.method, pathname);
    try {
      return "operation" in match ? await answer(match, request, findKey, options) : notServed(match, options);
    } catch (thrown) {
      return failure(thrown, options);
    }
  };
}

/** Who calls, whether they may, what they want, and where: in this order, for every operation. */
async function answer(
  { operation, values }: Extract<Match, { operation: unknown }>,
  request: Request,
  findKey: FindKey,
  options: RestOptions,
): Promise<Response> {
  const key = await findKey(request.headers.get("authorization"));
  if (key === undefined) throw auth.unauthorized();
  takeCall(key, options.limiter);
  const input = await readInput(operation, values, request);
  const workspace = workspaceFor(key, new URL(request.url).searchParams.get(WORKSPACE));
  checkAccess(key, accessOf(operation));
  const payload = await operation.run(input, { database: options.database, workspace });
  return success(payload, operation.success, options);
}

function notServed(match: Exclude<Match, { operation: unknown }>, options: RestOptions): Response {
  if (match.none === "path") return failure(crm.address_not_found(), options);
  return failure(crm.method_not_served(), options, { status: 405, headers: { allow: match.allowed.join(", ") } });
}
