/** What an implementation can claim, in the order of the report. */
export const CONFORMANCE_LEVELS = {
  reader: "reads faults as MCP carries them",
  writer: "writes faults as MCP carries them",
  advisor: "tells a model what to do, and decides about a repetition",
  dialects: "reads and writes the other dialects",
} as const;

/** One of the levels. */
export type Level = keyof typeof CONFORMANCE_LEVELS;
