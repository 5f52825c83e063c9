import { hash } from "node:crypto";
import type { Fault } from "@recourse/core";
import { peekString, readClassName, readThrown, type ThrownError } from "@recourse/core/proxy";
import { type CleanLogTextOptions, cleanLogText, installTextFilter } from "@recourse/core/safety";
import type { Incident } from "@recourse/core/server";
import type { IncidentsConfig } from "../config/types.ts";
import type { GatewayIncident, IncidentCause, IncidentSample } from "./incidents.ts";

const MAX_SAMPLE_TEXT = 16_384;
const MAX_SAMPLE = 32_768;
/** Stands for a text that the configuration does not keep. */
const NOT_KEPT = "(not kept)";

/** What is kept of an incident to understand it, without secrets. */
export function createSample(incident: GatewayIncident, { texts }: Pick<IncidentsConfig, "texts">): IncidentSample {
  const { fault, sentText, method, durationMs, code, upstreamLog, callFacts } = incident;
  const causes = readCauses(incident);
  const about = { method, durationMs, code, ...callFacts };
  if (texts === "keep") return { fault, sentText, causes, upstreamLog, ...about };
  return {
    fault: withoutFaultTexts(fault),
    sentText: undefined,
    causes: causes.map((cause) => ({ ...cause, message: NOT_KEPT, fields: {} })),
    upstreamLog: undefined,
    ...about,
    // The client has written it.
    client: undefined,
  };
}

/** A sample as JSON: without its longest texts if they are too long, and undefined if the rest is too long. */
export function sampleJson(sample: IncidentSample): string | undefined {
  const forms = [sample, { ...sample, upstreamLog: undefined }, { ...sample, upstreamLog: undefined, causes: [] }];
  return forms.map((form) => cleanJson(form, MAX_SAMPLE_TEXT)).find((json) => json.length <= MAX_SAMPLE);
}

/** The members of a fault that no caller and no upstream has written. */
function withoutFaultTexts(fault: Fault): Fault {
  const { params: _params, quote: _quote, issues, cause, recourse: _recourse, requestId: _requestId, ...rest } = fault;
  const [first, ...more] = fault.recourse;
  return {
    ...rest,
    message: NOT_KEPT,
    recourse: [{ do: first.do }, ...more.map((move) => ({ do: move.do }))],
    ...(issues !== undefined && { issues: issues.map(({ rule }) => ({ pointer: "", rule })) }),
    ...(cause !== undefined && { cause: withoutFaultTexts(cause) }),
  };
}

const MAX_STORED_CALLER = 256;

/** What is kept of the id of a caller. */
export function storedCaller(caller: string | undefined, mode: IncidentsConfig["callers"]): string | undefined {
  if (caller === undefined) return undefined;
  switch (mode) {
    case "keep":
      // Longer ids do not fit into an index.
      return caller.length > MAX_STORED_CALLER ? digestCaller(caller) : clean(caller, MAX_STORED_CALLER);
    case "digest":
      return digestCaller(caller);
    case "drop":
      return undefined;
    default:
      return mode satisfies never;
  }
}

/** What a caller may be kept as. The configuration may have been another one when an incident was written. */
export function storedCallerForms(caller: string): readonly string[] {
  return [clean(caller, MAX_STORED_CALLER), digestCaller(caller)];
}

function digestCaller(caller: string): string {
  return `sha256:${hash("sha256", `recourse caller ${caller}`, "hex").slice(0, 40)}`;
}

const MAX_FRAMES = 10;
const MAX_FRAME = 300;
const MAX_MESSAGE = 2_000;
const MAX_CAUSE_NAME = 128;
const MAX_CAUSES = 10;
const FRAME = /^\s*at /;
const CODE = /^[\w.-]{1,64}$/;

/** What was thrown, with its causes and members, without secrets. It runs no code of the thrown value. */
export function readCauses({ cause, secrets }: Pick<Incident, "cause" | "secrets">): readonly IncidentCause[] {
  if (cause === undefined) return [];
  installTextFilter();
  return listCauses(readThrown(cause), "thrown", { secrets, hide: PERSONAL_GROUPS }).slice(0, MAX_CAUSES);
}

function listCauses(
  thrown: ThrownError,
  relation: IncidentCause["relation"],
  options: CleanLogTextOptions,
): IncidentCause[] {
  const { name, message, stack, fields, errors, cause } = thrown;
  const { code, ...others } = fields;
  const named = Object.entries(others).map(([key, value]) => [key, cleanLogText(value, options)]);
  return [
    {
      relation,
      name: cleanLogText(name, { ...options, max: MAX_CAUSE_NAME }),
      message: cleanLogText(message, { ...options, max: MAX_MESSAGE }),
      code: code !== undefined && CODE.test(code) ? code : undefined,
      fields: Object.fromEntries(named),
      frames: framesIn(stack, message, options),
    },
    ...errors.flatMap((one) => listCauses(one, "member", options)),
    ...(cause === undefined ? [] : listCauses(cause, "cause", options)),
  ];
}

/** Incidents are kept for weeks, so personal data is cut out of them too. */
const PERSONAL_GROUPS = ["credential", "personal"] as const;

/** The place in the code that an error was thrown at: function and file, without line numbers, which change with versions. */
export function thrownAt(cause: unknown): string {
  if (!(cause instanceof Error)) return "";
  const frame = stackText(cause)
    .split("\n")
    .find((line) => FRAME.test(line) && !line.includes("node:internal"));
  if (frame === undefined) return "";
  const [, called = "", file = ""] = /^\s*at (?:(.*) \()?(?:.*[\\/])?([^\\/]*?)(?::\d+)*\)?$/.exec(frame) ?? [];
  return `${called} ${file}`;
}

/** The name of the class of an error, as it states it. */
export function errorName(cause: unknown): string {
  return peekString(cause, "name") ?? readClassName(cause) ?? typeof cause;
}

/** Names of functions and files look like personal data at times, so only secrets are cut out of frames. */
function framesIn(stack: string, message: string, { secrets }: CleanLogTextOptions): readonly string[] {
  const start = stack.indexOf(message);
  const below = start < 0 ? stack : stack.slice(start + message.length);
  const frames = cleanLogText(below, { secrets })
    .split("\n")
    .filter((line) => FRAME.test(line));
  return frames.slice(0, MAX_FRAMES).map((line) => line.trim().slice(0, MAX_FRAME));
}

function stackText(error: Error): string {
  try {
    return typeof error.stack === "string" ? error.stack.slice(0, 4_096) : "";
  } catch {
    return "";
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL refuses a text that contains it.
const NUL = /\u0000/g;

/** The most characters of a name that is kept. */
export const MAX_NAME = 256;

/** A text that PostgreSQL takes, cut at a length. Names come from callers and upstreams. */
export function clean(text: string, max: number): string {
  return text.slice(0, max).toWellFormed().replaceAll(NUL, " ");
}

/** JSON that PostgreSQL takes. */
function cleanJson(value: unknown, max: number): string {
  return JSON.stringify(value, (_key, member: unknown) => (typeof member === "string" ? clean(member, max) : member));
}
