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
    about: "Set a variable for the program; NAME alone passes yours on",
  },
  cwd: { type: "string", value: "folder", about: "Start the program in this folder" },
  host: { type: "string", value: "host", choices: HOST_IDS, about: "Check the configuration file of this host" },
  server: { type: "string", value: "name", about: "Check only this server of a configuration file" },
  fix: { type: "boolean", about: "Show the corrected lines of a configuration file" },
  write: { type: "boolean", about: "With --fix, write them into the file and keep a backup beside it" },
  timeout: { type: "string", value: "seconds", about: "How long to wait for an answer; 10 seconds if not given" },
} as const satisfies Record<string, OptionSpec>;

/** `recourse doctor`: why a server does not start, or cannot be reached. */
export const doctorCommand: CliCommand = {
  name: "doctor",
  about: "Find out why a server does not start or cannot be reached",
  usage: "[options] [<url | file | command…>]",
  details: [
    "Takes the same steps as a client, one after another, and stops at the first that fails. Then it says what is wrong, how to fix it, and what to run next.",
    "It starts a program as hosts do, with few variables of your shell and in its own process group, and ends it afterwards. It calls no tools: it only opens a connection and lists them.",
    "With the configuration file of a host, or --host, it checks every server in the file as the host would start it. Without arguments it lists the configuration files on this machine.",
    "It exits with 0 if the server is ready, with 1 if a cause was found, and with 4 if the server asks for credentials.",
  ],
  options: DOCTOR_OPTIONS,
  examples: [
    { line: "recourse doctor node dist/server.js", about: "Start a program and talk to it over stdin and stdout." },
    { line: "recourse doctor npx -y @modelcontextprotocol/server-filesystem .", about: "A package from npm." },
    { line: "recourse doctor http://localhost:3000/mcp", about: "A server over HTTP." },
    { line: "recourse doctor --host cursor", about: "All servers of a host; doctor finds its file." },
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
