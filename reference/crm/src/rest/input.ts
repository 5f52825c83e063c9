import { platica } from "@recourse/dialects/platica";
import { FaultError } from "@recourse/faults";
import type { Operation } from "../operations/operation.ts";
import { crm } from "../reasons.ts";

/** No operation needs a larger body. */
const MAX_BODY_BYTES = 65_536;

/** The query parameter for the workspace. Every request may have it, so it is not part of an input. */
export const WORKSPACE = "workspace";

/** Reads the input of an operation. Throws a fault with the fields to correct. */
export async function readInput(
  operation: Operation,
  values: Readonly<Record<string, string>>,
  request: Request,
): Promise<Readonly<Record<string, unknown>>> {
  const sent = operation.method === "POST" ? await readBody(request) : readQuery(request);
  // Values in the path override all others.
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
  const body = parseJson(text);
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw crm.bad_json();
  return body;
}

async function readText({ headers, body }: Request): Promise<string> {
  // Stopping in the middle would end the connection, so a declared length is checked first.
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
