import { isObject, LATEST_REVISION, objectAt, type Revision } from "@recourse/faults/internal-do-not-use";
import type { RequestMessage } from "../edge/message.ts";

/** The name of the gateway's own question among those of one call. */
export const APPROVAL_QUESTION = "recourse_approval";
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";

/**
 * Whether the caller can be sent to the page of an approval by `input_required`. A call that comes back from it is not sent
 * there again: persons take longer than clients repeat a call, so it gets the fault, which the model can tell its user.
 */
export function canAskByUrl(message: Pick<RequestMessage, "meta" | "params">, revision: Revision | undefined): boolean {
  if (revision !== LATEST_REVISION) return false;
  const answers = objectAt(message.params, "inputResponses");
  if (answers !== undefined && Object.hasOwn(answers, APPROVAL_QUESTION)) return false;
  const elicitation = objectAt(objectAt(message.meta, CAPABILITIES_KEY), "elicitation");
  return isObject(elicitation?.["url"]);
}

/**
 * The result that sends the caller's user to a page, as JSON. It has no `requestState`: the approval is found by the call
 * itself, so there is nothing that the caller could change.
 */
export function inputRequired(url: string, message: string): string {
  return JSON.stringify({
    resultType: "input_required",
    inputRequests: { [APPROVAL_QUESTION]: { method: "elicitation/create", params: { mode: "url", message, url } } },
  });
}
