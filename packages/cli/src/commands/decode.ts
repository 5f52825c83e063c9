import { TARGET_DIALECTS } from "../decode/targets.ts";
import type { Command } from "../program/command.ts";

/** `recourse decode`. */
export const decode: Command = {
  name: "decode",
  about: "Find the failures in a log, and group them",
  usage: "[file]",
  details: [
    "Reads a file or standard input: JSON lines, a JSON array, an event stream, a recording of `recourse probe --save`, or log lines with JSON somewhere in them. Failures of every dialect are recognised, also answers that say success and read like a failure.",
    "If the log has the requests too, each failure names its tool. A text that gives something away, such as a credential, is marked and not shown.",
    "A log of any length can be read: at most 1,000 groups are kept, with one sample each, and a line is read up to 16 MB. What was left out is said.",
  ],
  options: {
    fingerprint: { type: "string", value: "digits", about: "Show one group in full; the first digits suffice" },
    to: {
      type: "string",
      choices: TARGET_DIALECTS,
      about: "Write each failure as a line of JSON in this dialect, instead of the groups",
    },
  },
  examples: [
    { line: "recourse decode session.log", about: "What failed, how often, and how." },
    { line: "kubectl logs mcp-server | recourse decode", about: "From another program." },
    { line: "recourse decode session.log --fingerprint 3f2a", about: "One group in full." },
    { line: "recourse decode session.log --to mcp", about: "The failures as MCP writes them." },
  ],
  run: async (given, io) => (await import("../decode/run.ts")).runDecode(given, io),
};
