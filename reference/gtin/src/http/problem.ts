import { randomBytes } from "node:crypto";
import { type Fault, formatId, knownKind, stamp, toFault } from "@recourse/faults";
import { closient } from "@recourse/faults/dialects";
import { type Sink, stderrSink } from "@recourse/faults/server";

/** What every answer about a failure needs. */
export interface ProblemParts {
  /** Where the pages about errors are served. */
  readonly docsBase: string;
  readonly sink?: Sink | undefined;
  readonly now: () => number;
}

/** The reply of the system's dialect; its other form is the result of a tool. */
type Reply = Extract<ReturnType<typeof closient.encode>, { readonly status: number }>;

/** Classes of failures that are the caller's own doing: no operator has to hear of them. */
const CALLERS = new Set(["validation", "permission"]);

/** What one answer adds. */
export interface ProblemExtra {
  readonly headers?: Readonly<Record<string, string>>;
  /** The status that HTTP fixes where the document has none for it. */
  readonly status?: number;
}

/** Answers a failure with the document that the same failure has in the result of a tool. */
export function problemFor(thrown: unknown, parts: ProblemParts, extra: ProblemExtra = {}): Response {
  const { docsBase } = parts;
  const now = parts.now();
  const at = new Date(now).toISOString();
  const fault = stamped(toFault(thrown), { now, at, docsBase });
  if (fault.incident !== undefined) (parts.sink ?? stderr)({ fault, cause: thrown, at });
  const reply = closient.encode(fault, { form: "reply", docsBase, at }) as Reply;
  const { status = reply.status } = extra;
  const body = { ...reply.body, status };
  const headers = { "cache-control": "no-store", ...reply.headers, ...factsOf(fault, body), ...extra.headers };
  return Response.json(body, { status, headers });
}

const stderr = stderrSink();

function stamped(fault: Fault, { now, at, docsBase }: { now: number; at: string; docsBase: string }): Fault {
  const isTold = !CALLERS.has(fault.class) && fault.kind !== "not_found" && fault.incident === undefined;
  const incident = isTold ? formatId(now, randomBytes(16)) : undefined;
  return stamp(fault, { at, incident, docsBase, origin: { layer: "server", name: "gtin" } });
}

/** What HTTP has headers for. */
function factsOf(fault: Fault, body: Reply["body"]): Record<string, string> {
  const wait = body["retry_after"];
  const scopes = fault.params?.["scopes"];
  const isScope = fault.reason === "auth/insufficient_scope" && Array.isArray(scopes);
  return {
    ...(wait !== undefined && { "retry-after": String(wait) }),
    ...(knownKind(fault) === "unauthenticated" && { "www-authenticate": "Bearer" }),
    ...(isScope && { "www-authenticate": `Bearer error="insufficient_scope", scope="${scopes.join(" ")}"` }),
  };
}
