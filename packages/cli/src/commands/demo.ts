import type { Command } from "../program/command.ts";

/** Three failures, with the bare SDK and with Recourse. */
export const demo: Command = {
  name: "demo",
  about: "See three failures without and with Recourse, in 30 seconds",
  usage: "[--fast]",
  details: [
    "It starts real servers on this machine, makes them fail and shows what they answered. It needs no network, writes nothing and ends by itself.",
  ],
  options: {
    fast: { type: "boolean", about: "Print all of it at once, as when the output is not a terminal" },
  },
  examples: [
    { line: "recourse demo", about: "Three failures, at reading speed." },
    { line: "recourse demo --fast", about: "All of it at once." },
  ],
  // The official SDK is loaded by this command only.
  run: async (given, io) => (await import("../demo/run.ts")).runDemo(given, io),
};
