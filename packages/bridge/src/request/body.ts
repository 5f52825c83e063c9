import { isObject } from "@recourse/faults/internal-do-not-use";
import type { BodyArgument, BodySpec } from "../operations/operation.ts";
import { type ArgumentProblem, invalid, toJson, valid, type WriteResult } from "./flat-value.ts";
import { decodeBase64, joinParts, type MultipartPart, multipartParts } from "./multipart.ts";
import { writeQueryValue } from "./parameters.ts";

/** An encoded body. */
interface BodyContent {
  readonly type: string;
  readonly data: string | Uint8Array<ArrayBuffer>;
}

/** An argument of the body with its value. */
export interface GivenArgument {
  readonly argument: BodyArgument;
  readonly value: unknown;
}

/** An encoded body, or the argument that cannot be written. */
export type BodyResult =
  | { readonly ok: true; readonly content: BodyContent }
  | { readonly ok: false; readonly name: string; readonly problem: ArgumentProblem };

/** Encodes a body from its arguments. */
export function writeBody(
  { form, mediaType }: BodySpec,
  given: readonly GivenArgument[],
  maxBytes: number,
): BodyResult {
  const [first] = given;
  const isWhole = first !== undefined && first.argument.key === undefined;
  const of = (content: WriteResult<BodyContent>): BodyResult =>
    content.ok
      ? { ok: true, content: content.value }
      : { ok: false, name: first?.argument.name ?? "", problem: content.problem };
  switch (form) {
    case "json": {
      const value = isWhole
        ? first.value
        : Object.fromEntries(given.map(({ argument, value: one }) => [argument.key ?? "", one]));
      const data = toJson(value);
      return of(data === undefined ? invalid("type", "a value of JSON") : valid({ type: mediaType, data }));
    }
    case "text":
      return of(
        typeof first?.value === "string" ? valid({ type: mediaType, data: first.value }) : invalid("type", "a string"),
      );
    case "binary": {
      const bytes = decodeBase64(first?.value, maxBytes);
      return of(bytes.ok ? valid({ type: mediaType, data: bytes.value }) : bytes);
    }
    case "form":
      return writeForm(mediaType, membersOfBody(given));
    case "multipart":
      return writeMultipart(membersOfBody(given), maxBytes);
    default:
      return form satisfies never;
  }
}

/** The members of a form. A form that is one argument is split into its members. */
function membersOfBody(given: readonly GivenArgument[]): readonly GivenArgument[] {
  return given.flatMap(({ argument, value }) => {
    if (argument.key !== undefined || !isObject(value)) return [{ argument, value }];
    return Object.entries(value).map(([key, one]) => ({ argument: { ...argument, key }, value: one }));
  });
}

function writeForm(type: string, given: readonly GivenArgument[]): BodyResult {
  const pieces: string[] = [];
  for (const { argument, value } of given.filter((one) => one.value !== null)) {
    const taken = new Set(given.flatMap((one) => (one.argument === argument ? [] : [one.argument.key ?? ""])));
    const piece = argument.key === undefined ? invalid("type", "an object") : writeFormValue(value, argument, taken);
    if (!piece.ok) return { ok: false, name: argument.name, problem: piece.problem };
    if (piece.value !== "") pieces.push(piece.value);
  }
  return { ok: true, content: { type, data: pieces.join("&") } };
}

function writeMultipart(given: readonly GivenArgument[], maxBytes: number): BodyResult {
  const all: MultipartPart[] = [];
  for (const { argument, value } of given) {
    const parts = argument.key === undefined ? invalid("type", "an object") : multipartParts(value, argument, maxBytes);
    if (!parts.ok) return { ok: false, name: argument.name, problem: parts.problem };
    all.push(...parts.value);
  }
  const { boundary, bytes } = joinParts(all);
  return { ok: true, content: { type: `multipart/form-data; boundary=${boundary}`, data: bytes } };
}

/** Writes one member of a URL-encoded form; empty where the value is empty. */
function writeFormValue(
  value: unknown,
  { key = "", style, explode, allowReserved = false, contentType }: Omit<BodyArgument, "name">,
  taken: ReadonlySet<string>,
): WriteResult<string> {
  // Where the document names no style, nested values are written as JSON.
  const isNested = style === undefined && (isObject(value) || hasObjects(value));
  const isJsonPart = style === undefined && /[/+]json$/.test(contentType ?? "");
  return writeQueryValue(isNested || isJsonPart ? toJson(value) : value, {
    key,
    style: style ?? "form",
    explode: explode ?? true,
    allowReserved,
    taken,
  });
}

function hasObjects(value: unknown): boolean {
  return Array.isArray(value) && value.some((one) => typeof one === "object" && one !== null);
}
