// Imports every entry point that runs anywhere.

const ENTRIES = {
  ".": () => import("@recourse/faults"),
  "./client": () => import("@recourse/faults/client"),
  "./dialects": () => import("@recourse/faults/dialects"),
  "./reasons": () => import("@recourse/faults/reasons"),
  "./server": () => import("@recourse/faults/server"),
  "./telemetry": () => import("@recourse/faults/telemetry"),
  "@recourse/testing": () => import("@recourse/testing"),
} satisfies Record<string, () => Promise<object>>;

/** The number of exports of each entry point, or why it cannot be imported. */
export async function importEntries(): Promise<Readonly<Record<string, number | string>>> {
  const found: Record<string, number | string> = {};
  for (const [name, load] of Object.entries(ENTRIES)) {
    found[name] = await load().then(
      (module) => Object.keys(module).length,
      (error: unknown) => String(error),
    );
  }
  return found;
}
