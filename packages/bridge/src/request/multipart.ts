import { createHash } from "node:crypto";
import { isObject, stringAt } from "@recourse/faults/internal-do-not-use";
import { isMediaType } from "../operations/media-type.ts";
import type { BodyArgument } from "../operations/operation.ts";
import { invalid, scalarText, toJson, valid, type WriteResult } from "./flat-value.ts";

/** One part of a multipart body. */
export interface MultipartPart {
  readonly name: string;
  readonly filename?: string;
  readonly type?: string;
  readonly bytes: Uint8Array;
}

/** The parts of one member; a list has one for each item. */
export function multipartParts(
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
  if (text === undefined) return invalid("type", "a text, a number, a boolean, a list or an object");
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
  if (!isObject(value) || filename === undefined) return invalid("type", "a file with filename and dataBase64");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be in a name.
  if (!/^[^\u0000-\u001f\u007f/\\]{1,255}$/.test(filename) || !filename.isWellFormed())
    return invalid("format", "a file name without directories");
  if (!isMediaType(type)) return invalid("format", "a media type such as image/png");
  const bytes = decodeBase64(value["dataBase64"], maxBytes);
  return bytes.ok ? valid({ name: key, filename, type, bytes: bytes.value }) : bytes;
}

/** Joins parts into a body. The boundary is a hash of all parts, so no part can contain it. */
export function joinParts(parts: readonly MultipartPart[]): {
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
  if (typeof value !== "string") return invalid("type", "text in base64");
  if (value.length > Math.ceil(maxBytes / 3) * 4 + 4) return invalid("length", `at most ${maxBytes} bytes`);
  if (!/^[\w+/-]*={0,2}$/.test(value) || value.replace(/=+$/, "").length % 4 === 1)
    return invalid("format", "text in base64");
  const bytes = Uint8Array.from(Buffer.from(value, "base64"));
  return bytes.byteLength > maxBytes ? invalid("length", `at most ${maxBytes} bytes`) : valid(bytes);
}
