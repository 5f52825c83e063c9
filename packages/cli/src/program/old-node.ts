import type { CommandFailure } from "./command.ts";
import { isOlder } from "./node-version.ts";

/** The failure on a Node.js that is too old; undefined on others. `needed` is the range of the package. */
export function oldNode(version: string, needed: string): CommandFailure | undefined {
  if (!isOlder(version, needed)) return undefined;
  const message = `recourse needs Node.js ${needed.replace(/^>=/, "")} or later. This is ${version}.`;
  return { exit: "unreachable", code: "node-version", message };
}
