import { createHash } from "node:crypto";
import { isObject, stringAt } from "@recourse/core/wire";
import { isMediaType } from "../operations/headers.ts";
import type { BodyArgument, BodySpec } from "../operations/operation.ts";
import {
  invalidArgument,
  type StyleProblem,
  scalarText,
  toJson,
  valid,
  type WriteResult,
  writeParameter,
} from "./parameters.ts";

export interface ArgumentValue {
  readonly argument: BodyArgument;
  readonly value: unknown;
}

type BodyResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly name: string; readonly problem: StyleProblem };

type Bytes = Uint8Array<ArrayBuffer>;

interface BodyContent {
  readonly type: string;
  readonly data: string | Bytes;
}

export function writeRequestBody(
  { form, mediaType: type }: BodySpec,
  given: readonly ArgumentValue[],
  maxBytes: number,
): BodyResult<BodyContent> {
  const [first] = given;
  const whole = (data: WriteResult<string | Bytes>): BodyResult<BodyContent> =>
    data.ok ? { ok: true, value: { type, data: data.value } } : { ...data, name: first?.argument.name ?? "" };
  switch (form) {
    case "json": {
      const members = given.map(({ argument, value }) => [argument.key ?? "", value]);
      const isWhole = first !== undefined && first.argument.key === undefined;
      const data = toJson(isWhole ? first.value : Object.fromEntries(members));
      return whole(data === undefined ? invalidArgument("type", "a value of JSON") : valid(data));
    }
    case "text":
      return whole(typeof first?.value === "string" ? valid(first.value) : invalidArgument("type", "a string"));
    case "binary":
      return whole(decodeBase64(first?.value, maxBytes));
    case "form": {
      const pieces = writeForm(bodyMembers(given));
      return pieces.ok ? { ok: true, value: { type, data: pieces.value.filter(Boolean).join("&") } } : pieces;
    }
    case "multipart": {
      const parts = writeMembers(bodyMembers(given), ({ argument, value }) =>
        multipartParts(value, argument, maxBytes),
      );
      return parts.ok ? { ok: true, value: joinMultipart(parts.value.flat()) } : parts;
    }
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

function writeMembers<T>(
  members: readonly ArgumentValue[],
  write: (member: ArgumentValue) => WriteResult<T>,
): BodyResult<readonly T[]> {
  const written: T[] = [];
  for (const member of members) {
    const one = member.argument.key === undefined ? invalidArgument("type", "an object") : write(member);
    if (!one.ok) return { ...one, name: member.argument.name };
    written.push(one.value);
  }
  return { ok: true, value: written };
}

function writeForm(members: readonly ArgumentValue[]): BodyResult<readonly string[]> {
  const given = members.filter(({ value }) => value !== null);
  return writeMembers(given, ({ argument, value }) => {
    const { key = "", style, explode = true, allowReserved = false, contentType } = argument;
    const taken = new Set(members.flatMap((one) => (one.argument === argument ? [] : [one.argument.key ?? ""])));
    // If the document names no style, nested values are written as JSON.
    const isJson = style === undefined && (isNested(value) || isJsonBody(contentType));
    const written = { in: "query", key, style: style ?? "form", explode, allowReserved } as const;
    return writeParameter(written, isJson ? toJson(value) : value, taken);
  });
}

function isNested(value: unknown): boolean {
  return Array.isArray(value) ? value.some((one) => typeof one === "object" && one !== null) : isObject(value);
}

function isJsonBody(contentType = ""): boolean {
  return /[/+]json$/.test(contentType);
}

interface MultipartPart {
  readonly name: string;
  readonly filename?: string;
  readonly type?: string;
  readonly bytes: Uint8Array;
}

/** The parts of one member; a list has one for each item. */
function multipartParts(value: unknown, argument: BodyArgument, maxBytes: number): WriteResult<MultipartPart[]> {
  const parts: MultipartPart[] = [];
  for (const one of [value].flat()) {
    if (one === null) continue;
    const part = argument.file ? filePart(one, argument, maxBytes) : valuePart(one, argument);
    if (!part.ok) return part;
    parts.push(part.value);
  }
  return valid(parts);
}

function valuePart(value: unknown, { key = "", contentType }: BodyArgument): WriteResult<MultipartPart> {
  const isJson = typeof value === "object" || isJsonBody(contentType);
  const text = isJson ? toJson(value) : scalarText(value);
  if (text === undefined) return invalidArgument("type", "a text, a number, a boolean, a list or an object");
  const type = contentType ?? (isJson ? "application/json" : undefined);
  return valid({ name: key, ...(type !== undefined && { type }), bytes: Buffer.from(text) });
}

function filePart(value: unknown, { key = "" }: BodyArgument, maxBytes: number): WriteResult<MultipartPart> {
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
function joinMultipart(parts: readonly MultipartPart[]): BodyContent {
  const digest = createHash("sha256");
  for (const part of parts) digest.update(partHeader(part)).update(part.bytes).update("\r\n");
  const boundary = `part-${digest.digest("hex").slice(0, 48)}`;
  const pieces = parts.flatMap((part) => [`--${boundary}\r\n`, partHeader(part), part.bytes, "\r\n"]);
  const bytes = Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)));
  return { type: `multipart/form-data; boundary=${boundary}`, data: Uint8Array.from(bytes) };
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
export function decodeBase64(value: unknown, maxBytes: number): WriteResult<Bytes> {
  if (typeof value !== "string") return invalidArgument("type", "text in base64");
  if (value.length > Math.ceil(maxBytes / 3) * 4 + 4) return invalidArgument("length", `at most ${maxBytes} bytes`);
  if (!/^[\w+/-]*={0,2}$/.test(value) || value.replace(/=+$/, "").length % 4 === 1)
    return invalidArgument("format", "text in base64");
  const bytes = Uint8Array.from(Buffer.from(value, "base64"));
  return bytes.byteLength > maxBytes ? invalidArgument("length", `at most ${maxBytes} bytes`) : valid(bytes);
}
