import { type Fault, readFault, rest, type SecretFilter, stamp } from "@recourse/faults";
import { http } from "@recourse/faults/dialects";
import type { Reply } from "../network/reply.ts";
import type { Operation, ResponseSpec } from "../operations/operation.ts";
import { isJsonType, typeOf } from "./body.ts";
import { withEffect } from "./effect.ts";
import { type Errors, ownFault, reasonFor } from "./errors.ts";
import { flawFault } from "./failure-fault.ts";
import { argumentIssues } from "./issues.ts";
import { parseJson } from "./json.ts";

/** How much of a service's own words a caller gets to see. */
export type TextMode = "declared" | "quote" | "raw";

/** What the bridge knows about a call, beyond the answer to it. */
export interface CallFacts {
  readonly operation: Operation;
  /** Whether the call may change anything. */
  readonly changes: boolean;
  /** Whether repeating it does no harm. */
  readonly repeatable: boolean;
  /** An idempotency key was sent. */
  readonly keyed: boolean;
  /** Whose credential was sent. */
  readonly credential: "own" | "caller";
  readonly errors: Errors;
  readonly text: TextMode;
  readonly secrets: SecretFilter | undefined;
  /** The public name of the API. */
  readonly name: string | undefined;
  /** Time of the answer in ms since 1970. */
  readonly now: number;
}

/** The fault in an answer; undefined when it is a success. `text` is its body where that is text. */
export function replyFault(reply: Reply, text: string | undefined, facts: CallFacts): Fault | undefined {
  const { flaw, status } = reply;
  const isGood = status >= 200 && status <= 299;
  const flawed = isGood && flaw !== undefined && flaw !== "too_large" ? flawFault(flaw, facts) : undefined;
  const fault = flawed ?? decoded(reply, flaw === undefined ? text : undefined, facts);
  if (fault === undefined) return undefined;
  const effect = facts.changes ? fault.effect : "none";
  return stamp(withEffect(fault, effect), { origin: { layer: "upstream", ...(facts.name && { name: facts.name }) } });
}

function decoded(reply: Reply, text: string | undefined, facts: CallFacts): Fault | undefined {
  const { status, headers, flaw } = reply;
  const { operation, credential, keyed, now, secrets } = facts;
  const fault = http.decode(
    { status, headers, body: text },
    {
      httpMethod: operation.method,
      keyed,
      now,
      credential,
      secrets,
      hasPathParams: hasIdentifier(operation),
      text: facts.text === "quote" ? "quote" : "hide",
      ...(expectsJson(operation, reply) && { expects: "json" }),
      truncated: flaw === "too_large",
    },
  );
  if (fault === undefined) return undefined;
  const issues = fault.issues === undefined ? undefined : argumentIssues(operation, fault.issues);
  // That the credential of this server was refused is never the caller's matter, whatever an author says about the status.
  const chosen = fault.reason === rest.upstream_auth.id ? undefined : reasonFor(facts.errors, status);
  if (chosen === undefined) return issues === undefined ? fault : withIssues(fault, issues);
  const body = parseJson(text ?? "");
  return ownFault(chosen, body.ok ? body.value : undefined, {
    secrets,
    basis: "mapped",
    ...(facts.repeatable && { repeatable: true }),
    ...(fault.retry && { retry: fault.retry }),
    ...(fault.limits && { limits: fault.limits }),
    ...(fault.quote && { quote: fault.quote }),
    ...(issues !== undefined && issues.length > 0 && { issues }),
  });
}

function withIssues(fault: Fault, issues: Fault["issues"]): Fault {
  const { issues: _ofTheService, recourse: _derivedAnew, ...rest } = fault;
  return readFault({ ...rest, ...(issues !== undefined && issues.length > 0 && { issues }) }) ?? fault;
}

/** Whether a request names a thing: without one, a 404 means that the operation itself is missing. */
function hasIdentifier({ arguments: all }: Operation): boolean {
  return all.some((argument) => argument.in === "path" || argument.in === "body" || argument.required);
}

/** Whether a success has to be JSON, so that anything else is a page of somebody in between. */
function expectsJson(operation: Operation, reply: Reply): boolean {
  const got = typeOf(reply);
  if (isJsonType(got)) return true;
  const types = responseFor(operation, reply.status)?.mediaTypes.map((type) => type.split(";", 1)[0]?.trim()) ?? [];
  if (types.includes(got) || types.includes("*/*")) return false;
  return types.length === 0 ? got === "text/html" : types.some((type) => isJsonType(type ?? ""));
}

/** The response that a document declares for a status. */
function responseFor({ responses }: Operation, status: number): ResponseSpec | undefined {
  const names = [String(status), `${String(status)[0]}XX`, "default"];
  return names.map((name) => responses.find((one) => one.status === name)).find((one) => one !== undefined);
}
