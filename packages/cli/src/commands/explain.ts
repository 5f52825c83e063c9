import type { Command } from "../program/command.ts";

/** `recourse explain`. */
export const explain: Command = {
  name: "explain",
  about: "Say what an error code, a reason, a check or a whole message means",
  usage: "<code | reason | kind | check | cause | message>",
  details: [
    "Knows the codes of JSON-RPC and MCP, of the official SDKs, of public servers and gateways, HTTP statuses and system codes; the reasons and kinds of Recourse; the checks of `recourse probe`; the causes of `recourse doctor`.",
    "A number such as -32001 means something else with every sender, so all of them are listed. Paste the whole message to get one answer: what happened, whether the call took effect, and what to do. A message can be JSON of any dialect or a sentence; it is read from the arguments, or from standard input if there are none.",
    "Something unknown ends with exit code 2, and with the names that are nearest to it.",
  ],
  options: {},
  examples: [
    { line: "recourse explain -32001", about: "Everyone who sends this code, and what it means then." },
    { line: "recourse explain core/timeout", about: "A reason: causes, what to do, what the model reads." },
    { line: `recourse explain '{"error":{"code":-32602,"message":"Tool seach not found"}}'`, about: "A message." },
    { line: "recourse explain leak-stack", about: "A check of recourse probe." },
    { line: "recourse explain ECONNREFUSED --json", about: "The same as data." },
  ],
  run: async (given, io) => (await import("../explain/run.ts")).runExplain(given, io),
};
