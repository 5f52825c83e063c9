import { classNameOf, peek, peekString } from "@recourse/faults/internal-do-not-use";
import { type Incident, redactedError } from "@recourse/faults/server";
import type { IncidentCause } from "./incidents.ts";

const MAX_FRAMES = 10;
const MAX_FRAME = 300;
const MAX_MESSAGE = 2_000;
const FRAME = /^\s*at /;
const CODE = /^[\w.-]{1,64}$/;

/** The chain of causes of an incident, without secrets. It runs no code of the thrown value. */
export function causesOf(incident: Pick<Incident, "fault" | "cause" | "secrets">): readonly IncidentCause[] {
  if (incident.cause === undefined) return [];
  const causes: IncidentCause[] = [];
  let thrown: unknown = incident.cause;
  // The copy has as many links as may be shown, and none of them is the thrown value.
  for (let copy: unknown = redactedError(incident); copy instanceof Error; copy = copy.cause) {
    const { name, message, stack } = copy;
    causes.push({ name, message: message.slice(0, MAX_MESSAGE), code: codeOf(thrown), frames: framesIn(stack) });
    thrown = peek(thrown, "cause");
  }
  return causes;
}

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

function framesIn(stack = ""): readonly string[] {
  const frames = stack.split("\n").filter((line) => FRAME.test(line));
  return frames.slice(0, MAX_FRAMES).map((line) => line.trim().slice(0, MAX_FRAME));
}

function codeOf(thrown: unknown): string | undefined {
  const code = peek(thrown, "code");
  if (typeof code !== "string" && typeof code !== "number") return undefined;
  return CODE.test(String(code)) ? String(code) : undefined;
}

function stackOf(error: Error): string {
  try {
    return typeof error.stack === "string" ? error.stack.slice(0, 4_096) : "";
  } catch {
    return "";
  }
}
