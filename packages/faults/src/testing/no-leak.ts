/** What was found of the canaries in something that crossed a boundary: each canary once. */
export function findLeaks(crossed: unknown, canaries: Iterable<string>): string[] {
  const forms = formsOf(typeof crossed === "string" ? crossed : (JSON.stringify(crossed) ?? ""));
  const found = new Set<string>();
  for (const canary of canaries) {
    const escaped = JSON.stringify(canary).slice(1, -1);
    if (forms.some((form) => form.includes(canary) || form.includes(escaped))) found.add(canary);
  }
  return [...found];
}

/** Throws when a canary, plain or encoded, is in something that crossed a boundary; for tests of your own servers. */
export function expectNoLeak(crossed: unknown, canaries: Iterable<string>): void {
  const found = findLeaks(crossed, canaries);
  if (found.length > 0) throw new Error(`leaked: ${found.join(", ")}`);
}

/** The text itself, and what is left after undoing one percent, JSON or base64 encoding. */
function formsOf(text: string): string[] {
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
  return text.replaceAll(/\\(?:u([0-9A-Fa-f]{4})|(.))/g, (_, hex: string | undefined, plain: string | undefined) =>
    hex === undefined ? (plain ?? "") : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function base64Decoded(run: string): string {
  try {
    return atob(run.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, ""));
  } catch {
    return "";
  }
}
