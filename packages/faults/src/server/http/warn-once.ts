import { writeStderr } from "../../platform/streams.ts";

const said = new Set<string>();
const MAX_SAID = 100;

/** Tells the operator something about the setup, each sentence once in a process. */
export function warnOnce(key: string, text: string): void {
  if (said.has(key) || said.size >= MAX_SAID) return;
  said.add(key);
  writeStderr(`recourse: ${text}\n`);
}
