import type { Defect } from "../defect.ts";

/** Servers that break the pipe. */
export const STDIO = {
  "stdout-clean": { on: "stdio", process: () => console.log("shop 1.0.0 is ready") },
  "line-limit": {
    on: "stdio",
    answer: ({ bytes }) => (bytes.length > 10_000_000 ? { exit: 0 } : undefined),
  },
  "exit-on-close": { on: "stdio", waits: { exitMs: 1_000 }, process: () => void setInterval(() => {}, 1_000) },
} as const satisfies Record<string, Defect>;
