import { HOST_IDS } from "../hosts/host-files.ts";
import type { CliCommand, OptionSpec } from "../program/command.ts";

/** The options of `recourse doctor`. */
const DOCTOR_OPTIONS = {
  header: {
    type: "string",
    short: "H",
    multiple: true,
    value: "Name: value",
    secret: "header",
    about: "Send this header with every request",
  },
  env: {
    type: "string",
    short: "e",
    multiple: true,
    value: "NAME=value",
    secret: "variable",
    about: "Give the program this variable; NAME alone passes yours on",
  },
  cwd: { type: "string", value: "folder", about: "Start the program in this folder" },
  host: { type: "string", value: "host", choices: HOST_IDS, about: "Look at the configuration file of this host" },
  server: { type: "string", value: "name", about: "Look at this server of a configuration file only" },
  fix: { type: "boolean", about: "Show the corrected lines of a configuration file" },
  write: { type: "boolean", about: "With --fix, write them into the file, with a backup beside it" },
  timeout: { type: "string", value: "seconds", about: "Wait so long for an answer, 10 seconds if not given" },
} as const satisfies Record<string, OptionSpec>;

/** `recourse doctor`: why a server does not start, or cannot be reached. */
export const doctorCommand: CliCommand = {
  name: "doctor",
  about: "Find out why a server does not start or cannot be reached",
  usage: "[options] [<url | file | command…>]",
  details: [
    "Takes one step after the other, as a client does, and stops at the first that is broken. Then it says what is wrong, how to mend it, and what to run next.",
    "A program is started as hosts start it: with few variables of your shell, in a group of its own, and ended afterwards. Nothing is called: it only opens a conversation and lists the tools.",
    "Give the configuration file of a host, or --host, and it looks at every server of the file as the host would start it. Without arguments it says which files are on this machine.",
    "It exits with 0 if the server is ready, with 1 if a cause was found, and with 4 if the server asks for credentials.",
  ],
  options: DOCTOR_OPTIONS,
  examples: [
    { line: "recourse doctor node dist/server.js", about: "Start a program and talk to it over stdin and stdout." },
    { line: "recourse doctor npx -y @modelcontextprotocol/server-filesystem .", about: "A package from npm." },
    { line: "recourse doctor http://localhost:3000/mcp", about: "A server over HTTP." },
    { line: "recourse doctor --host cursor", about: "All servers of a host; its file is found by itself." },
    { line: "recourse doctor .vscode/mcp.json --server github", about: "One server of a configuration file." },
    { line: "recourse doctor .mcp.json --fix", about: "Show what has to change in the file." },
    {
      line: "recourse doctor -H 'Authorization: Bearer …' https://example.com/mcp",
      about: "With a credential; it is never shown.",
    },
  ],
  takesProgram: true,
  run: async (given, io) => (await import("./run-doctor.ts")).runDoctor(given, io),
};
