import { randomBytes } from "node:crypto";
import { closient } from "@recourse/dialects/closient";
import { type Fault, FaultError, knownKind, shouldReport } from "@recourse/faults";
import { formatId, type Sink, stampFault, stderrSink, toFault } from "@recourse/faults/server";

/** Options that all problem responses share. */
export interface ProblemOptions {
  /** The address of the error pages. */
  readonly docsBase: string;
  readonly sink?: Sink | undefined;
  readonly now: () => number;
}

/** The HTTP form of Closient's dialect; its other form is a tool result. */
type Reply = Extract<ReturnType<typeof closient.encode>, { readonly status: number }>;

/** Additions to one response. */
export interface ProblemExtra {
  readonly headers?: Readonly<Record<string, string>>;
  /** The status that HTTP requires, if Closient's document has none. */
  readonly status?: number;
}

/** The response to a failure: the same document as in the result of a tool. */
export async function problemFor(thrown: unknown, parts: ProblemOptions, extra: ProblemExtra = {}): Promise<Response> {
  const { docsBase } = parts;
  const now = parts.now();
  const at = new Date(now).toISOString();
  const fault = await stampProblem(thrown, { now, at, docsBase });
  if (fault.incident !== undefined) (parts.sink ?? stderr)({ fault, cause: thrown, at });
  const reply = closient.encode(fault, { form: "reply", docsBase, at }) as Reply;
  const { status = reply.status } = extra;
  const body = { ...reply.body, status };
  const headers = { "cache-control": "no-store", ...reply.headers, ...problemHeaders(fault, body), ...extra.headers };
  return Response.json(body, { status, headers });
}

const stderr = stderrSink();

/** Stamps the fault, with the id of an incident if the library says that the operator has to know about it. */
async function stampProblem(
  thrown: unknown,
  { now, at, docsBase }: { now: number; at: string; docsBase: string },
): Promise<Fault> {
  const fault = await toFault(thrown);
  // Only what an author wrote as a fault is shown whole.
  const isReported = shouldReport(fault, { textHidden: !FaultError.is(thrown) });
  const incident = isReported ? (fault.incident ?? formatId(now, randomBytes(16))) : undefined;
  return stampFault(fault, { at, incident, docsBase, origin: { layer: "server", name: "gtin" } });
}

/** The headers that repeat parts of the body. */
function problemHeaders(fault: Fault, body: Reply["body"]): Record<string, string> {
  const wait = body["retry_after"];
  const scopes = fault.params?.["scopes"];
  const isScope = fault.reason === "auth/insufficient_scope" && Array.isArray(scopes);
  return {
    ...(wait !== undefined && { "retry-after": String(wait) }),
    ...(knownKind(fault) === "unauthenticated" && { "www-authenticate": "Bearer" }),
    ...(isScope && { "www-authenticate": `Bearer error="insufficient_scope", scope="${scopes.join(" ")}"` }),
  };
}
