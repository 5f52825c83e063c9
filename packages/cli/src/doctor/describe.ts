import { quote } from "./finding.ts";
import type { Greeting } from "./requests.ts";

/** `3 tools`. */
export function countOf(tools: number): string {
  return tools === 1 ? "1 tool" : `${tools} tools`;
}

/** The name of a server in a few words, with the version that was agreed on if it is an older one. */
export function named({ server, version }: Greeting): string {
  const agreed = version === "2026-07-28" || version === "2025-11-25" ? "" : `, agreed on ${quote(version, 20)}`;
  return `${quote(`${server.name} ${server.version}`, 80)}${agreed}`;
}
