import type { Command } from "../program/command.ts";

/** `recourse init`: a first configuration of the gateway. */
export const init: Command = {
  name: "init",
  about: "Write a first gateway.yaml, with an API key",
  usage: "[file]",
  details: [
    "Writes a configuration that runs at once: no Redis, no PostgreSQL, one upstream, one API key. Without --url, --command and --openapi the upstream is a demo server, which is written beside it.",
    "The key is shown once; the file has its SHA-256 only. Files that exist are not overwritten, and nothing is written through a link.",
  ],
  options: {
    url: { type: "string", value: "url", about: "The upstream is an MCP server over HTTP" },
    command: { type: "string", value: "command", about: "The upstream is a program that speaks MCP on stdio" },
    openapi: { type: "string", value: "file or url", about: "The upstream is a REST API with this OpenAPI document" },
    name: { type: "string", value: "name", about: "The name of the upstream; its tools are called name__tool" },
    listen: { type: "string", value: "host:port", about: "Where to listen; 127.0.0.1:8080 if not given" },
    force: { type: "boolean", about: "Overwrite files that exist" },
  },
  examples: [
    { line: "recourse init", about: "With a demo server, to see it run." },
    { line: "recourse init --url https://shop.internal/mcp --name shop", about: "In front of a server over HTTP." },
    { line: 'recourse init --command "node server.js"', about: "In front of a program." },
    { line: "recourse init --openapi ./crm.yaml --name crm", about: "In front of a REST API." },
  ],
  run: async (given, io) => (await import("./gateway/run.ts")).runInit(given, io),
};
