import type { Explanation } from "@recourse/explain";
import type { IncidentClass } from "./incidents.ts";
import { OTHER_CLASS } from "./record.ts";

/** A fingerprint without what the library says about its reason. */
export type PlainClass = Omit<IncidentClass, "title" | "severity">;

let library: Promise<typeof import("@recourse/explain")> | undefined;

/** The documentation of reasons. It is loaded on first use: a gateway whose incidents nobody reads does not pay for it. */
export function loadExplanations(): Promise<typeof import("@recourse/explain")> {
  library ??= import("@recourse/explain");
  return library;
}

/** The text about incidents that are too many to be listed separately, and about unknown kinds. */
const OTHER_TITLES = {
  other: { title: "Failures of many kinds", severity: "error" },
  unknown: { title: "A failure of an unknown kind", severity: "error" },
} as const satisfies Record<string, Pick<Explanation, "title" | "severity">>;

/** Adds title and severity to fingerprints. The reason of another program has those of its kind. */
export async function explainClasses(classes: readonly PlainClass[]): Promise<readonly IncidentClass[]> {
  if (classes.length === 0) return [];
  const { explain } = await loadExplanations();
  return classes.map((one) => {
    const { reason, kind } = one;
    const unexplained = reason === OTHER_CLASS.reason ? OTHER_TITLES.other : OTHER_TITLES.unknown;
    const { title, severity } = explain({ reason, kind }) ?? unexplained;
    return { ...one, title, severity };
  });
}
