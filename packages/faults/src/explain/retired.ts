/** Reason names that were published once and may never be used again. */
export const RETIRED: readonly string[] = [];
