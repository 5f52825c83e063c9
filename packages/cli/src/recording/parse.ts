import { isObject, memberAt, NEWEST_REVISIONS } from "@recourse/core/wire";
import {
  PROGRAM_STREAMS,
  RECORDING_FORMAT,
  type Recording,
  SPARED_REASONS,
  STIMULI,
  UNTESTED_REASONS,
} from "./recording.ts";

/** A recording, or a sentence that says why a text cannot be read as one. */
type ParsedRecording =
  | { readonly ok: true; readonly recording: Recording }
  | { readonly ok: false; readonly because: string };

/** Reads a saved recording. It may have been edited by hand: what is returned has the form that checks rely on. */
export function parseRecording(source: string): ParsedRecording {
  const value = parseBounded(source, MAX_ANSWER_DEPTH + 50);
  if (value === undefined) return { ok: false, because: "It is not JSON, or nested too deeply." };
  const format = memberAt(value, "format");
  if (format !== RECORDING_FORMAT) {
    const known = typeof format === "string" && format.startsWith("recourse-recording/");
    return {
      ok: false,
      because: known
        ? `It has the format ${format.slice(0, 60)}; this version reads ${RECORDING_FORMAT}.`
        : "It is not a recording: save one with recourse probe --save.",
    };
  }
  const wrong = RECORDING_SHAPE(value, "");
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

/** Brackets inside each other in an answer of a server. */
const MAX_ANSWER_DEPTH = 200;

/**
 * The JSON in a text. Undefined if it is not JSON, or nested so deeply that walking through it could overflow. `depth` is
 * how deep it may be.
 */
export function parseBounded(text: string, depth: number = MAX_ANSWER_DEPTH): unknown {
  if (isNestedBeyond(text, depth)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isNestedBeyond(text: string, max: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = stringEnd(text, at);
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    if (depth > max) return true;
  }
  return false;
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

/** Where a value is not as it should be, such as `eras.0.tools`. Undefined if all is well. */
type ValueShape = (value: unknown, at: string) => string | undefined;

const shapeFrom =
  (isFine: (value: unknown) => boolean): ValueShape =>
  (value, at) =>
    isFine(value) ? undefined : at;

const textShape: ValueShape = shapeFrom((value) => typeof value === "string");
const numberShape: ValueShape = shapeFrom((value) => typeof value === "number" && Number.isFinite(value));
const booleanShape: ValueShape = shapeFrom((value) => typeof value === "boolean");
const objectShape: ValueShape = shapeFrom(isObject);

/** One of some values. */
function choiceShape(...values: readonly unknown[]): ValueShape {
  return shapeFrom((value) => values.includes(value));
}

/** May be absent. */
function optionalShape(shape: ValueShape): ValueShape {
  return (value, at) => (value === undefined ? undefined : shape(value, at));
}

/** May be null. */
function nullOr(shape: ValueShape): ValueShape {
  return (value, at) => (value === null ? undefined : shape(value, at));
}

/** A list of such values. */
function listShape(shape: ValueShape): ValueShape {
  return (value, at) => {
    if (!Array.isArray(value)) return at;
    for (const [index, item] of value.entries()) {
      const wrong = shape(item, `${at}.${index}`);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  };
}

/** An object whose members all have this shape. */
function mapShape(shape: ValueShape): ValueShape {
  return (value, at) => (isObject(value) ? firstWrong(Object.entries(value), () => shape, at) : at);
}

/** An object with these members, and perhaps others. */
function membersShape(shapes: Readonly<Record<string, ValueShape>>): ValueShape {
  return (value, at) => {
    if (!isObject(value)) return at;
    const members = Object.keys(shapes).map(
      (key) => [key, Object.hasOwn(value, key) ? value[key] : undefined] as const,
    );
    return firstWrong(members, (key) => shapes[key] as ValueShape, at);
  };
}

/** An object whose member names which shape it has. */
function kindShape(key: string, shapes: Readonly<Record<string, ValueShape>>): ValueShape {
  return (value, at) => {
    const kind = isObject(value) ? value[key] : undefined;
    const shape = typeof kind === "string" && Object.hasOwn(shapes, kind) ? shapes[kind] : undefined;
    return shape === undefined ? `${at}.${key}` : shape(value, at);
  };
}

function firstWrong(
  members: readonly (readonly [key: string, value: unknown])[],
  shapeFor: (key: string) => ValueShape,
  at: string,
): string | undefined {
  for (const [key, value] of members) {
    const wrong = shapeFor(key)(value, at === "" ? key : `${at}.${key}`);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

const HTTP_SHAPE = membersShape({ status: numberShape, headers: mapShape(textShape), streamed: booleanShape });
const CONTENT_MEMBERS = { ms: numberShape, text: textShape, bytes: numberShape, http: optionalShape(HTTP_SHAPE) };
const ANSWER_SHAPE = kindShape("kind", {
  message: membersShape({ ...CONTENT_MEMBERS, message: objectShape }),
  body: membersShape(CONTENT_MEMBERS),
  silent: membersShape({ ms: numberShape, strays: listShape(objectShape) }),
  closed: membersShape({
    ms: numberShape,
    exitCode: optionalShape(nullOr(numberShape)),
    signal: optionalShape(nullOr(textShape)),
    stderr: optionalShape(textShape),
  }),
  inconclusive: membersShape({ ms: numberShape, because: textShape }),
});
const WRONG_FIELD_SHAPE = membersShape({
  field: textShape,
  rule: choiceShape("type", "missing", "enum", "range", "extra-key"),
  schema: optionalShape(objectShape),
});
const EXCHANGE_SHAPE = membersShape({
  id: textShape,
  stimulus: choiceShape(...Object.keys(STIMULI)),
  variant: optionalShape(textShape),
  tool: optionalShape(textShape),
  sent: membersShape({
    message: optionalShape(objectShape),
    text: textShape,
    bytes: numberShape,
    http: optionalShape(membersShape({ method: textShape, headers: mapShape(textShape) })),
    wrong: optionalShape(listShape(WRONG_FIELD_SHAPE)),
  }),
  answer: ANSWER_SHAPE,
  copies: optionalShape(numberShape),
  ended: optionalShape(membersShape({ exitCode: nullOr(numberShape), signal: nullOr(textShape) })),
  secretShown: optionalShape(choiceShape(true)),
});
const ERA_SHAPE = membersShape({
  revision: choiceShape(...NEWEST_REVISIONS),
  negotiated: textShape,
  server: membersShape({ name: textShape, version: textShape }),
  capabilities: objectShape,
  tools: listShape(objectShape),
  resources: listShape(objectShape),
  resourceTemplates: listShape(objectShape),
  prompts: listShape(objectShape),
  called: listShape(textShape),
  spared: listShape(
    membersShape({
      tool: textShape,
      because: textShape,
      why: optionalShape(choiceShape(...SPARED_REASONS)),
      byName: optionalShape(choiceShape(true)),
    }),
  ),
  exchanges: listShape(EXCHANGE_SHAPE),
  strayLines: listShape(textShape),
  stderr: textShape,
  secretIn: optionalShape(listShape(choiceShape(...PROGRAM_STREAMS))),
  leftBehind: optionalShape(listShape(membersShape({ name: textShape, pid: numberShape, ended: booleanShape }))),
  leftOut: optionalShape(
    listShape(
      membersShape({
        stimulus: choiceShape(...Object.keys(STIMULI)),
        because: textShape,
        untested: optionalShape(choiceShape(...UNTESTED_REASONS)),
      }),
    ),
  ),
});
const RECORDING_SHAPE: ValueShape = membersShape({
  version: textShape,
  startedAt: textShape,
  durationMs: numberShape,
  target: membersShape({
    transport: choiceShape("stdio", "http"),
    url: optionalShape(textShape),
    command: optionalShape(listShape(textShape)),
    loopback: booleanShape,
    credentials: booleanShape,
    planted: membersShape({ canary: textShape, canaryName: textShape, bait: textShape }),
  }),
  eras: listShape(ERA_SHAPE),
  unspoken: listShape(membersShape({ revision: choiceShape(...NEWEST_REVISIONS), because: textShape })),
  interrupted: optionalShape(choiceShape(true)),
});
