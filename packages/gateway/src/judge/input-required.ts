import { core, elicitation, type Fault } from "@recourse/faults";
import { type JsonObject, objectAt, stringAt } from "@recourse/faults/internal-do-not-use";

/**
 * The fault for a caller whose revision of the protocol has no results that ask for input: the link that the user has to open,
 * or the question, so that the answer can be part of another call. The call has not run to its end.
 */
export function inputFault(result: JsonObject): Fault {
  const requests = Object.values(objectAt(result, "inputRequests") ?? {});
  const params = requests.map((request) => objectAt(request, "params"));
  const question = params.map((one) => stringAt(one, "message")).find((text) => text !== undefined);
  const quote = question === undefined ? {} : ({ quote: { text: question, from: "peer" } } as const);
  const page = params.find((one) => stringAt(one, "mode") === "url");
  const link = stringAt(page, "url");
  const approval = stringAt(page, "elicitationId");
  if (link === undefined)
    return core.precondition_failed.fault({}, { basis: "mapped", recourse: [{ do: "ask_user" }], ...quote });
  const move = { do: "ask_user", link, ...(approval !== undefined && { approval }) } as const;
  return elicitation.url_required.fault({}, { basis: "mapped", recourse: [move], ...quote });
}
