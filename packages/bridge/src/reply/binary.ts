import { gunzipSync } from "node:zlib";
import type { SecretFilter } from "@recourse/faults";
import { MIN_SECRET_LENGTH, textsIn } from "@recourse/faults/internal-do-not-use";

/** A compressed body that expands to more than this is not passed on. */
const MAX_EXPANDED_BYTES = 16_777_216;

/** Tells whether binary data contains a secret: in UTF-8 or UTF-16, plain or compressed with gzip. */
export function bytesContainSecret(bytes: Uint8Array, secrets: SecretFilter): boolean {
  if (secrets.size === 0) return false;
  if (hasSecret(bytes, secrets)) return true;
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isGzip) return false;
  try {
    return hasSecret(gunzipSync(bytes, { maxOutputLength: MAX_EXPANDED_BYTES }), secrets);
  } catch (error) {
    return (error as { readonly code?: unknown }).code === "ERR_BUFFER_TOO_LARGE";
  }
}

function hasSecret(bytes: Uint8Array, secrets: SecretFilter): boolean {
  return secrets.has(textsIn(Buffer.from(bytes).toString("latin1"), MIN_SECRET_LENGTH).join("\n"));
}
