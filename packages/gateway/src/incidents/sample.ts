import type { Fault } from "@recourse/faults";
import type { IncidentsConfig } from "../config/types.ts";
import { causesOf } from "./causes.ts";
import { cleanJson } from "./clean.ts";
import type { GatewayIncident, IncidentSample } from "./incidents.ts";

/** The most characters of one text, and of a sample. */
const MAX_TEXT = 16_384;
const MAX_SAMPLE = 32_768;
/** Stands for a text that the configuration does not keep. */
const NOT_KEPT = "(not kept)";

/** What is kept of an incident to understand it, without secrets. */
export function sampleOf(incident: GatewayIncident, { texts }: Pick<IncidentsConfig, "texts">): IncidentSample {
  const { fault, told, method, durationMs, code, upstreamLog } = incident;
  const causes = causesOf(incident);
  const about = { method, durationMs, code };
  if (texts === "keep") return { fault, told, causes, upstreamLog, ...about };
  return {
    fault: withoutTexts(fault),
    told: undefined,
    causes: causes.map((cause) => ({ ...cause, message: NOT_KEPT, fields: {} })),
    upstreamLog: undefined,
    ...about,
  };
}

/** A sample as JSON: without its longest texts where they are too long, and undefined where the rest is. */
export function sampleJson(sample: IncidentSample): string | undefined {
  const forms = [sample, { ...sample, upstreamLog: undefined }, { ...sample, upstreamLog: undefined, causes: [] }];
  return forms.map((form) => cleanJson(form, MAX_TEXT)).find((json) => json.length <= MAX_SAMPLE);
}

/** The members of a fault that no caller and no upstream has written. */
function withoutTexts(fault: Fault): Fault {
  const { params: _params, quote: _quote, issues, cause, recourse: _recourse, requestId: _requestId, ...rest } = fault;
  const [first, ...more] = fault.recourse;
  return {
    ...rest,
    message: NOT_KEPT,
    recourse: [{ do: first.do }, ...more.map((move) => ({ do: move.do }))],
    ...(issues !== undefined && { issues: issues.map(({ rule }) => ({ pointer: "", rule })) }),
    ...(cause !== undefined && { cause: withoutTexts(cause) }),
  };
}
