import type { IncomingMessage } from "node:http";
import { invalid_encoding, invalid_type, message_too_large } from "../../../reasons/library/content.ts";
import { parse_error } from "../../../reasons/library/protocol.ts";

/** Reads the body of a request as JSON; throws a fault for what is too large, no UTF-8, or no JSON. */
export async function receive(request: IncomingMessage, options: { readonly maxBytes: number }): Promise<unknown> {
  const [media = ""] = (request.headers["content-type"] ?? "").split(";");
  if (media.trim().toLowerCase() !== "application/json") {
    request.resume();
    throw invalid_type(media === "" ? {} : { contentType: media.trim() });
  }
  return parse(await bytesOf(request, options.maxBytes));
}

/** The JSON in the bytes of one message. */
export function parse(bytes: Buffer): unknown {
  const position = firstInvalid(bytes);
  if (position !== undefined) throw invalid_encoding({ encoding: "utf-8", position });
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw parse_error();
  }
}

/** All bytes are read, even those of a body that is too large: a client that is still writing would not hear us. */
async function bytesOf(request: IncomingMessage, maxSize: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let actualSize = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    actualSize += chunk.length;
    if (actualSize <= maxSize) chunks.push(chunk);
  }
  if (actualSize > maxSize) throw message_too_large({ actualSize, maxSize });
  return Buffer.concat(chunks);
}

/** Where the bytes stop being UTF-8, if they do. */
function firstInvalid(bytes: Buffer): number | undefined {
  const text = bytes.toString("utf8");
  // Decoding puts a mark where it fails, so the first difference after encoding again is the place.
  if (!text.includes("\u{FFFD}")) return undefined;
  const again = Buffer.from(text, "utf8");
  const at = bytes.findIndex((byte, index) => byte !== again[index]);
  return at === -1 ? undefined : at;
}
