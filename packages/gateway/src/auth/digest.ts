import { hash } from "node:crypto";

/** SHA-256 of bytes or text, in hex. */
export function digestOf(data: Buffer | string): string {
  return hash("sha256", data, "hex");
}

/** SHA-256 of a list, in hex. It is written as JSON, so that two different lists never have the same text. */
export function digestOfAll(list: readonly unknown[]): string {
  return digestOf(JSON.stringify(list));
}
