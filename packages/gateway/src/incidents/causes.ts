import { FOREIGN_TEXT } from "@recourse/faults";
import {
  type CleanOptions,
  classNameOf,
  cleanText,
  peekString,
  RULE_GROUPS,
  readThrown,
  type ThrownError,
} from "@recourse/faults/internal-do-not-use";
import type { Incident } from "@recourse/faults/server";
import type { IncidentCause } from "./incidents.ts";

const MAX_FRAMES = 10;
const MAX_FRAME = 300;
const MAX_MESSAGE = 2_000;
const MAX_NAME = 128;
const MAX_CAUSES = 10;
const FRAME = /^\s*at /;
const CODE = /^[\w.-]{1,64}$/;

/** What was thrown, with its causes and members, without secrets. It runs no code of the thrown value. */
export function causesOf({ cause, secrets }: Pick<Incident, "cause" | "secrets">): readonly IncidentCause[] {
  if (cause === undefined) return [];
  return listOf(readThrown(cause), "thrown", { secrets, isHidden: isPersonal }).slice(0, MAX_CAUSES);
}

function listOf(thrown: ThrownError, relation: IncidentCause["relation"], options: CleanOptions): IncidentCause[] {
  const { name, message, stack, fields, errors, cause } = thrown;
  const { code, ...others } = fields;
  const named = Object.entries(others).map(([key, value]) => [key, cleanText(value, options)]);
  return [
    {
      relation,
      name: cleanText(name, { ...options, max: MAX_NAME }),
      message: cleanText(message, { ...options, max: MAX_MESSAGE }),
      code: code !== undefined && CODE.test(code) ? code : undefined,
      fields: Object.fromEntries(named),
      frames: framesIn(stack, message, options),
    },
    ...errors.flatMap((one) => listOf(one, "member", options)),
    ...(cause === undefined ? [] : listOf(cause, "cause", options)),
  ];
}

/** Incidents are kept for weeks, so personal data is cut out of them too. */
function isPersonal(text: string): boolean {
  return FOREIGN_TEXT.ruleForQuote(text, { allow: NOT_PERSONAL }) !== undefined;
}

const NOT_PERSONAL = RULE_GROUPS.filter((group) => group !== "personal");

/** The place in the code that an error was thrown at: function and file, without line numbers, which change with versions. */
export function placeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "";
  const frame = stackOf(cause)
    .split("\n")
    .find((line) => FRAME.test(line) && !line.includes("node:internal"));
  if (frame === undefined) return "";
  const [, called = "", file = ""] = /^\s*at (?:(.*) \()?(?:.*[\\/])?([^\\/]*?)(?::\d+)*\)?$/.exec(frame) ?? [];
  return `${called} ${file}`;
}

/** The name of the class of an error, as it states it. */
export function nameOf(cause: unknown): string {
  return peekString(cause, "name") ?? classNameOf(cause) ?? typeof cause;
}

/** Names of functions and files look like personal data at times, so only secrets are cut out of frames. */
function framesIn(stack: string, message: string, { secrets }: CleanOptions): readonly string[] {
  const start = stack.indexOf(message);
  const below = start < 0 ? stack : stack.slice(start + message.length);
  const frames = cleanText(below, { secrets })
    .split("\n")
    .filter((line) => FRAME.test(line));
  return frames.slice(0, MAX_FRAMES).map((line) => line.trim().slice(0, MAX_FRAME));
}

function stackOf(error: Error): string {
  try {
    return typeof error.stack === "string" ? error.stack.slice(0, 4_096) : "";
  } catch {
    return "";
  }
}
