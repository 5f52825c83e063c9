import { FaultError } from "@recourse/faults";
import { platica } from "@recourse/faults/dialects";
import type { Operation } from "../operations/operation.ts";
import { crm } from "../reasons.ts";

/** No operation needs more. */
const MAX_BODY_BYTES = 65_536;

/** Names a workspace, so it belongs to every request and to no input. */
export const WORKSPACE = "workspace";

/** The input of an operation from a request; throws what the caller has to correct. */
export async function readInput(
  operation: Operation,
  values: Readonly<Record<string, string>>,
  request: Request,
): Promise<Readonly<Record<string, unknown>>> {
  const sent = operation.method === "POST" ? await readBody(request) : readQuery(request);
  // The path comes last: what stands in it cannot be said otherwise.
  const outcome = operation.input.safeParse({ ...sent, ...values });
  if (outcome.success) return outcome.data;
  const refused = { code: 400, error: "Invalid arguments", errors: outcome.error.issues };
  const fault = platica.decode(refused);
  throw fault === undefined ? crm.failed({}, { cause: outcome.error }) : new FaultError(fault);
}

function readQuery({ url }: Request): object {
  const { [WORKSPACE]: _ofTheRequest, ...query } = Object.fromEntries(new URL(url).searchParams);
  return query;
}

async function readBody(request: Request): Promise<object> {
  const text = await readText(request);
  if (text === "") return {};
  const body = parsed(text);
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw crm.bad_json();
  return body;
}

async function readText({ headers, body }: Request): Promise<string> {
  // To stop in the middle ends the connection, so what says how long it is need not be begun.
  if (Number(headers.get("content-length")) > MAX_BODY_BYTES) throw crm.body_too_large();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw crm.body_too_large();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
