import { createHash } from "node:crypto";
import { isJson, stringAt } from "../../document/json.ts";
import { isMediaType } from "../../operations/media-type.ts";
import type { BodyArgument } from "../../operations/operation.ts";
import { jsonOf, textOf } from "../flat.ts";
import { made, type Result, refused } from "../result.ts";
import { fromBase64 } from "./base64.ts";

/** One part of a multipart body. */
export interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly type?: string;
  readonly bytes: Uint8Array;
}

/** Makes the parts of one member: several for a list. */
export function partsOf(
  value: unknown,
  argument: Omit<BodyArgument, "name">,
  maxBytes: number,
): Result<readonly Part[]> {
  const parts: Part[] = [];
  for (const one of Array.isArray(value) ? value : [value]) {
    if (one === null) continue;
    const part = argument.file ? filePart(one, argument, maxBytes) : valuePart(one, argument);
    if (!part.ok) return part;
    parts.push(part.value);
  }
  return made(parts);
}

function valuePart(value: unknown, { key = "", contentType }: Omit<BodyArgument, "name">): Result<Part> {
  const isNested = typeof value === "object" || /[/+]json$/.test(contentType ?? "");
  const text = isNested ? jsonOf(value) : textOf(value);
  if (text === undefined) return refused("type", "a text, a number, a boolean, a list or an object");
  const type = contentType ?? (isNested ? "application/json" : undefined);
  return made({ name: key, ...(type !== undefined && { type }), bytes: Buffer.from(text) });
}

function filePart(value: unknown, { key = "" }: Omit<BodyArgument, "name">, maxBytes: number): Result<Part> {
  const filename = stringAt(value, "filename");
  const type = stringAt(value, "mimeType") ?? "application/octet-stream";
  if (!isJson(value) || filename === undefined) return refused("type", "a file with filename and dataBase64");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be in a name.
  if (!/^[^\u0000-\u001f\u007f/\\]{1,255}$/.test(filename) || !filename.isWellFormed())
    return refused("format", "a file name without directories");
  if (!isMediaType(type)) return refused("format", "a media type such as image/png");
  const bytes = fromBase64(value["dataBase64"], maxBytes);
  return bytes.ok ? made({ name: key, filename, type, bytes: bytes.value }) : bytes;
}

/** Joins parts. The boundary is a digest of them all, so no part can contain it. */
export function joinParts(parts: readonly Part[]): {
  readonly boundary: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
} {
  const digest = createHash("sha256");
  for (const part of parts) digest.update(headOf(part)).update(part.bytes).update("\r\n");
  const boundary = `part-${digest.digest("hex").slice(0, 48)}`;
  const pieces = parts.flatMap((part) => [`--${boundary}\r\n`, headOf(part), part.bytes, "\r\n"]);
  const bytes = Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)));
  return { boundary, bytes: Uint8Array.from(bytes) };
}

function headOf({ name, filename, type }: Part): string {
  const file = filename === undefined ? "" : `; filename="${quoted(filename)}"`;
  const content = type === undefined ? "" : `\r\nContent-Type: ${type}`;
  return `Content-Disposition: form-data; name="${quoted(name)}"${file}${content}\r\n\r\n`;
}

/** As browsers write names in forms. */
function quoted(text: string): string {
  return text.toWellFormed().replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
