// Loads the exact index, once.
import type { ExactIndex } from "../../data/find-exact.ts";

let loaded: Promise<ExactIndex | undefined> | undefined;

/** Loads the exact index. Undefined if it cannot be loaded. */
export function loadIndex(base: string): Promise<ExactIndex | undefined> {
  loaded ??= fetch(`${base}/exact.json`)
    .then((reply) => reply.json() as Promise<ExactIndex>)
    .catch(() => undefined);
  return loaded;
}
