import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** A file that the configuration takes a value from. */
export interface SecretFile {
  /** The whole path. */
  readonly path: string;
  /** A digest of the value, so that a change can be noticed; the problem if there is no value. */
  readonly state: string;
}

/** The value of a file, or why it has none, as the end of the sentence "the file …". */
export type SecretFileValue = { readonly value: string } | { readonly problem: string; readonly fix: string };

/** A certificate chain or a private key fits; a file that is larger is the wrong one. */
const MAX_SECRET_BYTES = 64 * 1_024;

const OPEN_PROBLEMS: Readonly<Record<string, Extract<SecretFileValue, { problem: string }>>> = {
  ENOENT: { problem: "does not exist.", fix: "Create it, or mount the secret there." },
  ENOTDIR: { problem: "does not exist.", fix: "Create it, or mount the secret there." },
  EACCES: { problem: "may not be read.", fix: "Give the user of the gateway the right to read it." },
  EPERM: { problem: "may not be read.", fix: "Give the user of the gateway the right to read it." },
};
const UNREADABLE = { problem: "cannot be read.", fix: "Check its path." };
const NOT_A_FILE = { problem: "is not a regular file.", fix: "Name a file with the value in it." };
const TOO_LARGE = { problem: "is larger than 64 KiB.", fix: "Check that it is the right file." };
const NOT_TEXT = { problem: "is not text in UTF-8.", fix: "Write the value as text, such as base64." };
const NO_VALUE = { problem: "is empty.", fix: "Write the value into it." };

/**
 * Reads the value that a file holds: its text without one line break at its end. It never waits for a pipe or a device, reads
 * no more than 64 KiB, and no problem quotes the file.
 */
export function readSecretFile(path: string): SecretFileValue {
  let bytes: Buffer | "not a file";
  try {
    bytes = readBounded(path);
  } catch (error) {
    return OPEN_PROBLEMS[(error as { readonly code?: string }).code ?? ""] ?? UNREADABLE;
  }
  if (bytes === "not a file") return NOT_A_FILE;
  if (bytes.length > MAX_SECRET_BYTES) return TOO_LARGE;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return NOT_TEXT;
  }
  const value = text.replace(/\r?\n$/, "");
  return value === "" ? NO_VALUE : { value };
}

/** What a file holds at the moment, in a form that can be compared and kept. */
export function secretFileState(read: SecretFileValue): string {
  return "value" in read ? createHash("sha256").update(read.value).digest("hex") : read.problem;
}

/** One byte more than allowed tells that a file is too large. Opened without waiting: the other end of a pipe may never come. */
function readBounded(path: string): Buffer | "not a file" {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!fstatSync(file).isFile()) return "not a file";
    const bytes = Buffer.alloc(MAX_SECRET_BYTES + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}
