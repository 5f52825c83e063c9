import type { Command } from "../program/command.ts";

/** `recourse keys`: the API keys of a gateway. */
export const keys: Command = {
  name: "keys",
  about: "Add, list and revoke the API keys of a gateway",
  usage: "<add <id> | list | revoke <id | prefix>>",
  details: [
    "Works on the store of gateway.yaml. With PostgreSQL, keys count at once on every process, and revoked ones end within `keyCache` of the file. With `store: memory` keys are lines of the file: `add` prints the line, and removing a line revokes its key.",
    "A key is shown once, when it is made. Only its SHA-256 is kept.",
  ],
  options: {
    config: { type: "string", short: "c", value: "file", about: "The configuration file; gateway.yaml if not given" },
    tenant: { type: "string", value: "name", about: "Whose key it is; default if not given" },
    tools: {
      type: "string",
      value: "patterns",
      multiple: true,
      about: "The tools that it sees, with commas; * if not given",
    },
    scopes: { type: "string", value: "names", multiple: true, about: "Scopes of the caller, with commas" },
    entitlements: { type: "string", value: "names", multiple: true, about: "What the caller has bought, with commas" },
    dialect: {
      type: "string",
      choices: ["mcp", "closient", "onx", "erlmcp", "qaqnuz", "platica"],
      about: "The error format for this caller",
    },
    expires: { type: "string", value: "duration", about: "How long it is good, such as 24h; with PostgreSQL only" },
  },
  words: ["add", "list", "revoke"],
  examples: [
    { line: 'recourse keys add ci --tenant acme --tools "shop__*"', about: "A new key. It is shown once." },
    { line: "recourse keys list", about: "All keys, without the keys themselves." },
    { line: "recourse keys revoke ci", about: "End a key." },
  ],
  run: async (given, io) => (await import("./gateway/run.ts")).runKeys(given, io),
};
