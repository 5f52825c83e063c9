import { holdsSecret, type Nets, passNets } from "../safety/nets.ts";
import { MAX } from "./fault.ts";

/** A name that can be an argument's: what stands outside was not written by a tool's author. */
const TOKEN = /^[\p{L}\p{N}_$@.:[\]-]{1,64}$/u;

/**
 * The pointer as far as it can be shown: it ends above the first token that is not a plain name or that a net withholds,
 * so a hostile key points to its parent.
 */
export function cleanPointer(value: unknown, nets: Nets = {}): string {
  if (typeof value !== "string" || !value.startsWith("/")) return "";
  let shown = "";
  // One character more than can be shown tells whether the last name is whole.
  for (const token of value.slice(1, MAX.pointer + 1).split("/")) {
    if (shown.length + 1 + token.length > MAX.pointer) break;
    const plain = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!TOKEN.test(plain) || passNets(plain, { max: MAX.name, patterns: true, ...nets }) !== plain) break;
    shown += `/${token}`;
  }
  // A secret with a slash in it would pass name by name.
  return holdsSecret(shown, nets.secrets) ? "" : shown;
}

/** JSON Pointer of a path of keys and indexes. */
export function toPointer(path: readonly (string | number)[]): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
