import { createHash } from "node:crypto";

/** SHA-256 of bytes or text, in hex. */
export function digestOf(data: Buffer | string): string {
  return createHash("sha256").update(data).digest("hex");
}

/** SHA-256 of texts in their order, in hex. They are written as JSON, so no choice of texts makes two lists one. */
export function digestOfAll(texts: readonly string[]): string {
  return digestOf(JSON.stringify(texts));
}
