import { isObject, memberAt, objectAt, parseJson, stringAt } from "@recourse/faults/internal-do-not-use";
import type { HttpAnswer } from "./answer.ts";

const MAX_BYTES = 65_536;
/** What servers say to a message whose session they do not know, beside the status that the protocol gives for it. */
const ABOUT_SESSION = /\bsession\b|not initiali[sz]ed/i;
const METHOD_NOT_FOUND = -32_601;

/** Whether an upstream refused a message because it does not know its session. Such a message was not served. */
export function isSessionGone({ status, body }: HttpAnswer, hasSession: boolean): boolean {
  if ((status !== 404 && status !== 400) || body.length > MAX_BYTES) return false;
  const message = parseJson(body.toString());
  const error = isObject(message) ? objectAt(message, "error") : undefined;
  if (status === 404 && hasSession) return memberAt(error, "code") !== METHOD_NOT_FOUND;
  return ABOUT_SESSION.test(stringAt(error, "message") ?? "");
}
