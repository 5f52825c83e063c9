// The ways to call that are run here.

/** The ways that are run, with what each of them is. */
export const WAYS = {
  "sdk-v2": "SDK v2",
  "sdk-v1": "SDK v1",
  retry: "p-retry",
  library: "Recourse library",
  gateway: "Recourse gateway",
} as const satisfies Record<string, string>;

/** The name of a way that is run. */
export type Way = keyof typeof WAYS;

/** The names of all ways that are run. */
export const WAY_NAMES = Object.keys(WAYS) as Way[];
