import { memberAt } from "@recourse/faults/internal-do-not-use";
import { MAX_DEPTH, parseBounded } from "./parse-json.ts";
import { FORMAT, type Recording } from "./recording.ts";
import { REVISIONS } from "./revisions.ts";
import {
  byKind,
  jsonObject,
  listOf,
  mapOf,
  number,
  objectOf,
  oneOf,
  optional,
  type Shape,
  text,
  yesOrNo,
} from "./shape.ts";
import { STIMULI } from "./stimuli.ts";

/** A recording, or a sentence that says why a text cannot be read as one. */
export type ParsedRecording =
  | { readonly ok: true; readonly recording: Recording }
  | { readonly ok: false; readonly because: string };

/** Reads a saved recording. It may have been edited by hand: what is returned has the form that checks rely on. */
export function parseRecording(source: string): ParsedRecording {
  const value = parseBounded(source, MAX_DEPTH + 50);
  if (value === undefined) return { ok: false, because: "It is not JSON, or nested too deeply." };
  const format = memberAt(value, "format");
  if (format !== FORMAT) {
    const known = typeof format === "string" && format.startsWith("recourse-recording/");
    return {
      ok: false,
      because: known
        ? `It has the format ${format.slice(0, 60)}; this version reads ${FORMAT}.`
        : "It is not a recording: save one with recourse probe --save.",
    };
  }
  const wrong = RECORDING(value, "");
  if (wrong !== undefined)
    return { ok: false, because: `Its member ${wrong.slice(0, 200)} is missing or not as expected.` };
  const recording = value as Recording;
  const ids = recording.eras.flatMap((era) => era.exchanges.map(({ id }) => id));
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  return twice === undefined
    ? { ok: true, recording }
    : { ok: false, because: `Two exchanges have the id ${twice.slice(0, 200)}.` };
}

/** The text of a recording, for a file. */
export function serializeRecording(recording: Recording): string {
  return `${JSON.stringify(recording, undefined, 1)}\n`;
}

const HTTP_PART = objectOf({ status: number, headers: mapOf(text), streamed: yesOrNo });
const ARRIVED = { ms: number, text, bytes: number, http: optional(HTTP_PART) };
const ANSWER = byKind("kind", {
  message: objectOf({ ...ARRIVED, message: jsonObject }),
  body: objectOf(ARRIVED),
  silent: objectOf({ ms: number, strays: listOf(jsonObject) }),
  closed: objectOf({
    ms: number,
    exitCode: optional((value, at) => (value === null ? undefined : number(value, at))),
    signal: optional((value, at) => (value === null ? undefined : text(value, at))),
    stderr: optional(text),
  }),
  inconclusive: objectOf({ ms: number, because: text }),
});
const WRONG_FIELD = objectOf({
  field: text,
  rule: oneOf("type", "missing", "enum", "range", "extra-key"),
  schema: optional(jsonObject),
});
const EXCHANGE = objectOf({
  id: text,
  stimulus: oneOf(...Object.keys(STIMULI)),
  variant: optional(text),
  tool: optional(text),
  sent: objectOf({
    message: optional(jsonObject),
    text,
    bytes: number,
    http: optional(objectOf({ method: text, headers: mapOf(text) })),
    wrong: optional(listOf(WRONG_FIELD)),
  }),
  answer: ANSWER,
});
const ERA = objectOf({
  revision: oneOf(...REVISIONS),
  negotiated: text,
  server: objectOf({ name: text, version: text }),
  capabilities: jsonObject,
  tools: listOf(jsonObject),
  resources: listOf(jsonObject),
  resourceTemplates: listOf(jsonObject),
  prompts: listOf(jsonObject),
  called: listOf(text),
  spared: listOf(objectOf({ tool: text, because: text })),
  exchanges: listOf(EXCHANGE),
  strayLines: listOf(text),
  stderr: text,
  leftOut: optional(listOf(objectOf({ stimulus: oneOf(...Object.keys(STIMULI)), because: text }))),
});
const RECORDING: Shape = objectOf({
  version: text,
  startedAt: text,
  durationMs: number,
  target: objectOf({
    transport: oneOf("stdio", "http"),
    url: optional(text),
    command: optional(listOf(text)),
    loopback: yesOrNo,
    credentials: yesOrNo,
    planted: objectOf({ canary: text, canaryName: text, bait: text }),
  }),
  eras: listOf(ERA),
  unspoken: listOf(objectOf({ revision: oneOf(...REVISIONS), because: text })),
  interrupted: optional(oneOf(true)),
});
