import { core, protocol, tool } from "@recourse/faults";
import { checkArguments } from "@recourse/faults/server";
import * as z from "zod";
import { type ProblemParts, problemFor } from "../http/problem.ts";
import type { Operation } from "../operations/operation.ts";
import { callerOf, perform, type Service } from "../operations/perform.ts";
import { gtin } from "../reasons.ts";
import { matchRoute } from "./match.ts";

/** The REST API: every operation at an address of its own, with the same failures as the tools. */
export function createRest(service: Service, parts: ProblemParts): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      const url = new URL(request.url);
      const match = matchRoute(request.method, url);
      if (!("route" in match)) return notServed(match, parts);
      const { operation } = match.route;
      // An operation without failures has none here either: it judges what came.
      if (match.isBroken && operation.access !== "open") throw protocol.bad_request();
      const input = checked(operation, match.input);
      const payload = await perform(operation, input, await callerOf(operation, request.headers, service), service);
      return Response.json(payload, { headers: { "cache-control": "no-store" } });
    } catch (thrown) {
      return problemFor(thrown, parts);
    }
  };
}

function notServed(
  match: { readonly none: "path" } | { readonly none: "method"; readonly allowed: readonly string[] },
  parts: ProblemParts,
): Response {
  if (match.none === "path") return problemFor(core.not_found(), parts);
  return problemFor(gtin.method_not_served(), parts, { status: 405, headers: { allow: match.allowed.join(", ") } });
}

/** The input as the operation's schema gives it, or the refusal that a tool would answer with. */
function checked(operation: Operation, sent: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  const outcome = operation.input.safeParse(sent);
  if (outcome.success) return outcome.data;
  const issues = checkArguments(sent, z.toJSONSchema(operation.input) as Record<string, unknown>);
  throw tool.invalid_arguments({ tool: operation.name }, { issues });
}
