import { isObject, memberAt, objectAt, parseJson } from "@recourse/faults/internal-do-not-use";
import type { HttpAnswer } from "./answer.ts";

const REFUSALS: ReadonlySet<number> = new Set([400, 404, 405, 406]);
/** Codes that a server of the newer era refuses messages with; -32022 says that it speaks another one. */
const MODERN_CODES: ReadonlySet<number> = new Set([-32_700, -32_600, -32_601, -32_602, -32_020, -32_021]);
const MAX_BYTES = 65_536;

/** Whether an answer looks like that of a server which no longer speaks 2026-07-28. */
export function isDoubtful({ status, body }: HttpAnswer): boolean {
  if (!REFUSALS.has(status) || body.length > MAX_BYTES) return false;
  const message = parseJson(body.toString());
  const code = memberAt(isObject(message) ? objectAt(message, "error") : undefined, "code");
  return typeof code !== "number" || !MODERN_CODES.has(code);
}
