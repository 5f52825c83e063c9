import { core, protocol, tool } from "@recourse/faults/reasons";
import { checkArguments } from "@recourse/faults/server";
import * as z from "zod";
import { type ProblemOptions, problemFor } from "../http/problem.ts";
import type { Operation } from "../operations/operation.ts";
import { callerOf, perform, type Service } from "../operations/perform.ts";
import { gtin } from "../reasons.ts";
import { matchRoute } from "./match.ts";

/** Creates the REST API. Its operations fail in the same way as the tools. */
export function createRest(service: Service, parts: ProblemOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      const url = new URL(request.url);
      const match = matchRoute(request.method, url);
      if (!("route" in match)) return await notServedResponse(match, parts);
      const { operation } = match.route;
      // Open operations never fail, so they get the value unchanged.
      if (match.isBroken && operation.access !== "open") throw protocol.bad_request();
      const input = await parseInput(operation, match.input);
      const payload = await perform(operation, input, await callerOf(operation, request.headers, service), service);
      return Response.json(payload, { headers: { "cache-control": "no-store" } });
    } catch (thrown) {
      return problemFor(thrown, parts);
    }
  };
}

function notServedResponse(
  match: { readonly none: "path" } | { readonly none: "method"; readonly allowed: readonly string[] },
  parts: ProblemOptions,
): Promise<Response> {
  if (match.none === "path") return problemFor(core.not_found(), parts);
  return problemFor(gtin.method_not_served(), parts, { status: 405, headers: { allow: match.allowed.join(", ") } });
}

/** Parses the input. Throws the same fault as the tool. */
async function parseInput(
  operation: Operation,
  sent: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const outcome = operation.input.safeParse(sent);
  if (outcome.success) return outcome.data;
  const issues = await checkArguments(sent, z.toJSONSchema(operation.input) as Record<string, unknown>);
  throw tool.invalid_arguments({ tool: operation.name }, { issues });
}
