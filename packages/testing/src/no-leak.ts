/** Finds canaries in a value that left the server, also in percent, JSON or base64 encoding. Returns each canary once. */
export function findLeaks(output: unknown, canaries: Iterable<string>): string[] {
  const forms = decodeForms(typeof output === "string" ? output : (JSON.stringify(output) ?? ""));
  const found = new Set<string>();
  for (const canary of canaries) {
    const escaped = JSON.stringify(canary).slice(1, -1);
    if (forms.some((form) => form.includes(canary) || form.includes(escaped))) found.add(canary);
  }
  return [...found];
}

/**
 * Throws when a value that left the server contains a canary, also in percent, JSON or base64 encoding.
 *
 * @example
 * ```ts
 * import { render } from "@recourse/faults";
 * import { toFault } from "@recourse/faults/server";
 * import { expectNoLeak, leaks } from "@recourse/testing";
 *
 * for (const { text, canaries } of leaks) {
 *   expectNoLeak(render(await toFault(new Error(text)), { for: "model" }), canaries);
 * }
 * ```
 */
export function expectNoLeak(output: unknown, canaries: Iterable<string>): void {
  const found = findLeaks(output, canaries);
  if (found.length > 0) throw new Error(`leaked: ${found.join(", ")}`);
}

/** The text, and the text with percent, JSON or base64 encoding undone once. */
function decodeForms(text: string): string[] {
  const runs = text.match(/[A-Za-z0-9+/_-]{12,}={0,2}/g) ?? [];
  return [text, percentDecoded(text), jsonDecoded(text), ...runs.map(base64Decoded)];
}

function percentDecoded(text: string): string {
  return text.replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

function jsonDecoded(text: string): string {
  return text.replaceAll(/\\(?:u([0-9A-Fa-f]{4})|(.))/g, (_, hex: string | undefined, character: string | undefined) =>
    hex === undefined ? (character ?? "") : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Text of this length is not base64; nothing else about a run can be wrong. */
function base64Decoded(run: string): string {
  const digits = run.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  return digits.length % 4 === 1 ? "" : atob(digits);
}
