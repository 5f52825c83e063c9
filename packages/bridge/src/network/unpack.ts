import { promisify } from "node:util";
import { brotliDecompress, gunzip, type InputType, type ZlibOptions } from "node:zlib";
import type { Flaw } from "./failure.ts";
import type { Reply } from "./reply.ts";

type Decoder = (data: InputType, options: Pick<ZlibOptions, "maxOutputLength">) => Promise<Uint8Array>;

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: promisify(gunzip) as Decoder,
  "x-gzip": promisify(gunzip) as Decoder,
  br: promisify(brotliDecompress) as Decoder,
};

/** The unpacked bytes, or why there are none. */
export type Unpacked = { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly why: Flaw };

/** Unpacks a body. What counts is its size afterwards: a few bytes can hold a gigabyte. */
export async function unpack({ headers, body }: Reply, maxBytes: number): Promise<Unpacked> {
  const named = [headers["content-encoding"] ?? []].flat().join(",").trim().toLowerCase();
  if (named === "" || named === "identity" || body.byteLength === 0) return { ok: true, bytes: body };
  // One packing inside another is a way to hide a size, not to save one.
  const decoder = Object.hasOwn(DECODERS, named) ? DECODERS[named] : undefined;
  if (decoder === undefined) return { ok: false, why: "unreadable" };
  try {
    return { ok: true, bytes: await decoder(body, { maxOutputLength: maxBytes }) };
  } catch (error) {
    const isLarge = (error as { readonly code?: unknown }).code === "ERR_BUFFER_TOO_LARGE";
    return { ok: false, why: isLarge ? "too_large" : "unreadable" };
  }
}
