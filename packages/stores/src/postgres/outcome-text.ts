/** What a written outcome begins with. No JSON text begins with it. */
const WRITTEN = "\u0001";

/** An outcome as PostgreSQL can keep it: as it is, unless it contains the character 0, or begins like a written one. */
export function writeOutcomeText(outcome: string): string {
  return outcome.includes("\u0000") || outcome.startsWith(WRITTEN) ? WRITTEN + JSON.stringify(outcome) : outcome;
}

/** The outcome in a text that was kept. */
export function readOutcomeText(text: string): string {
  return text.startsWith(WRITTEN) ? (JSON.parse(text.slice(WRITTEN.length)) as string) : text;
}
