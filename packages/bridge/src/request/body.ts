import { createHash } from "node:crypto";
import { isObject, stringAt } from "@recourse/wire";
import { isMediaType } from "../operations/headers.ts";
import type { BodyArgument, BodySpec } from "../operations/operation.ts";
import { writeQueryValue } from "./parameters.ts";
import { invalidArgument, type StyleProblem, scalarText, toJson, valid, type WriteResult } from "./styles.ts";

/** An encoded body. */
interface BodyContent {
  readonly type: string;
  readonly data: string | Uint8Array<ArrayBuffer>;
}

/** An argument of the body with its value. */
export interface ArgumentValue {
  readonly argument: BodyArgument;
  readonly value: unknown;
}

/** An encoded body, or the argument that cannot be written. */
type BodyResult =
  | { readonly ok: true; readonly content: BodyContent }
  | { readonly ok: false; readonly name: string; readonly problem: StyleProblem };

/** Encodes a body from its arguments. */
export function writeRequestBody(
  { form, mediaType }: BodySpec,
  given: readonly ArgumentValue[],
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
      return of(data === undefined ? invalidArgument("type", "a value of JSON") : valid({ type: mediaType, data }));
    }
    case "text":
      return of(
        typeof first?.value === "string"
          ? valid({ type: mediaType, data: first.value })
          : invalidArgument("type", "a string"),
      );
    case "binary": {
      const bytes = decodeBase64(first?.value, maxBytes);
      return of(bytes.ok ? valid({ type: mediaType, data: bytes.value }) : bytes);
    }
    case "form":
      return writeForm(mediaType, bodyMembers(given));
    case "multipart":
      return writeMultipart(bodyMembers(given), maxBytes);
    default:
      return form satisfies never;
  }
}

/** The members of a form. A form that is one argument is split into its members. */
function bodyMembers(given: readonly ArgumentValue[]): readonly ArgumentValue[] {
  return given.flatMap(({ argument, value }) => {
    if (argument.key !== undefined || !isObject(value)) return [{ argument, value }];
    return Object.entries(value).map(([key, one]) => ({ argument: { ...argument, key }, value: one }));
  });
}

function writeForm(type: string, given: readonly ArgumentValue[]): BodyResult {
  const pieces: string[] = [];
  for (const { argument, value } of given.filter((one) => one.value !== null)) {
    const taken = new Set(given.flatMap((one) => (one.argument === argument ? [] : [one.argument.key ?? ""])));
    const piece =
      argument.key === undefined ? invalidArgument("type", "an object") : writeFormValue(value, argument, taken);
    if (!piece.ok) return { ok: false, name: argument.name, problem: piece.problem };
    if (piece.value !== "") pieces.push(piece.value);
  }
  return { ok: true, content: { type, data: pieces.join("&") } };
}

function writeMultipart(given: readonly ArgumentValue[], maxBytes: number): BodyResult {
  const all: MultipartPart[] = [];
  for (const { argument, value } of given) {
    const parts =
      argument.key === undefined ? invalidArgument("type", "an object") : multipartParts(value, argument, maxBytes);
    if (!parts.ok) return { ok: false, name: argument.name, problem: parts.problem };
    all.push(...parts.value);
  }
  const { boundary, bytes } = joinMultipart(all);
  return { ok: true, content: { type: `multipart/form-data; boundary=${boundary}`, data: bytes } };
}

/** Writes one member of a URL-encoded form; empty if the value is empty. */
function writeFormValue(
  value: unknown,
  { key = "", style, explode, allowReserved = false, contentType }: Omit<BodyArgument, "name">,
  taken: ReadonlySet<string>,
): WriteResult<string> {
  // If the document names no style, nested values are written as JSON.
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

/** One part of a multipart body. */
interface MultipartPart {
  readonly name: string;
  readonly filename?: string;
  readonly type?: string;
  readonly bytes: Uint8Array;
}

/** The parts of one member; a list has one for each item. */
function multipartParts(
  value: unknown,
  argument: Omit<BodyArgument, "name">,
  maxBytes: number,
): WriteResult<readonly MultipartPart[]> {
  const parts: MultipartPart[] = [];
  for (const one of Array.isArray(value) ? value : [value]) {
    if (one === null) continue;
    const part = argument.file ? filePart(one, argument, maxBytes) : valuePart(one, argument);
    if (!part.ok) return part;
    parts.push(part.value);
  }
  return valid(parts);
}

function valuePart(value: unknown, { key = "", contentType }: Omit<BodyArgument, "name">): WriteResult<MultipartPart> {
  const isNested = typeof value === "object" || /[/+]json$/.test(contentType ?? "");
  const text = isNested ? toJson(value) : scalarText(value);
  if (text === undefined) return invalidArgument("type", "a text, a number, a boolean, a list or an object");
  const type = contentType ?? (isNested ? "application/json" : undefined);
  return valid({ name: key, ...(type !== undefined && { type }), bytes: Buffer.from(text) });
}

function filePart(
  value: unknown,
  { key = "" }: Omit<BodyArgument, "name">,
  maxBytes: number,
): WriteResult<MultipartPart> {
  const filename = stringAt(value, "filename");
  const type = stringAt(value, "mimeType") ?? "application/octet-stream";
  if (!isObject(value) || filename === undefined) return invalidArgument("type", "a file with filename and dataBase64");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be in a name.
  if (!/^[^\u0000-\u001f\u007f/\\]{1,255}$/.test(filename) || !filename.isWellFormed())
    return invalidArgument("format", "a file name without directories");
  if (!isMediaType(type)) return invalidArgument("format", "a media type such as image/png");
  const bytes = decodeBase64(value["dataBase64"], maxBytes);
  return bytes.ok ? valid({ name: key, filename, type, bytes: bytes.value }) : bytes;
}

/** Joins parts into a body. The boundary is a hash of all parts, so no part can contain it. */
function joinMultipart(parts: readonly MultipartPart[]): {
  readonly boundary: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
} {
  const digest = createHash("sha256");
  for (const part of parts) digest.update(partHeader(part)).update(part.bytes).update("\r\n");
  const boundary = `part-${digest.digest("hex").slice(0, 48)}`;
  const pieces = parts.flatMap((part) => [`--${boundary}\r\n`, partHeader(part), part.bytes, "\r\n"]);
  const bytes = Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)));
  return { boundary, bytes: Uint8Array.from(bytes) };
}

function partHeader({ name, filename, type }: MultipartPart): string {
  const file = filename === undefined ? "" : `; filename="${escapeQuotes(filename)}"`;
  const content = type === undefined ? "" : `\r\nContent-Type: ${type}`;
  return `Content-Disposition: form-data; name="${escapeQuotes(name)}"${file}${content}\r\n\r\n`;
}

/** Escapes a name in the way browsers do. */
function escapeQuotes(text: string): string {
  return text.toWellFormed().replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** Decodes base64 in either alphabet, with or without padding; any other character is refused. */
export function decodeBase64(value: unknown, maxBytes: number): WriteResult<Uint8Array<ArrayBuffer>> {
  if (typeof value !== "string") return invalidArgument("type", "text in base64");
  if (value.length > Math.ceil(maxBytes / 3) * 4 + 4) return invalidArgument("length", `at most ${maxBytes} bytes`);
  if (!/^[\w+/-]*={0,2}$/.test(value) || value.replace(/=+$/, "").length % 4 === 1)
    return invalidArgument("format", "text in base64");
  const bytes = Uint8Array.from(Buffer.from(value, "base64"));
  return bytes.byteLength > maxBytes ? invalidArgument("length", `at most ${maxBytes} bytes`) : valid(bytes);
}
