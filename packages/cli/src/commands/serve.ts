import type { Command } from "../program/command.ts";

/** `recourse serve`: the gateway. */
export const serve: Command = {
  name: "serve",
  about: "Run the gateway: one address for many MCP servers",
  usage: "[file]",
  details: [
    "Reads gateway.yaml, or the file that you name. Needs the package of the gateway: `npm install @recourse/gateway`.",
    "The first line on stdout is the address and the store. The log goes to stderr.",
    "Ctrl-C and SIGTERM end it: calls under way may end first, within `drain` of the file; then it exits with 0. A second Ctrl-C ends it at once. SIGHUP, and with --watch every change of the file, makes it read the file again; a file with problems changes nothing.",
  ],
  options: {
    check: {
      type: "boolean",
      about: "Read the file, connect to the stores, list the tools of every upstream, report, and end",
    },
    watch: { type: "boolean", about: "Read the file again whenever it changes" },
  },
  examples: [
    { line: "recourse serve", about: "Run the gateway of gateway.yaml." },
    { line: "recourse serve --check prod.yaml", about: "Try a file without serving it; in CI, for instance." },
    { line: "recourse serve --watch", about: "While you change the file." },
  ],
  untilStopped: true,
  run: async (given, io) => (await import("./gateway/run.ts")).runServe(given, io),
};
