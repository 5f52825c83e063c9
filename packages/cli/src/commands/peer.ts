import type { Command } from "../program/command.ts";

/** A misbehaving MCP server, for authors of clients in any language. */
export const peer: Command = {
  name: "peer",
  about: "Run a server that misbehaves on demand, to test a client",
  usage: "[--stdio] [--list]",
  details: [
    "For clients in any language. It keeps the protocol until you ask for a misbehaviour. Its tool charge counts how often it really ran, so you see what your client does after a lost answer.",
    "The first line on stdout is its address. Every request is reported on stderr. Ctrl-C ends it.",
  ],
  options: {
    list: { type: "boolean", about: "Show every misbehaviour, and how to ask for it" },
    stdio: { type: "boolean", about: "Speak on stdin and stdout instead of HTTP" },
    port: { type: "string", value: "number", about: "Listen on this port of 127.0.0.1 instead of a free one" },
    next: {
      type: "string",
      multiple: true,
      value: "name",
      about: "Misbehave in this way on the next tool call; give it again for the call after that, ok to behave",
    },
    tool: {
      type: "string",
      multiple: true,
      value: "tool=name",
      about: "Misbehave in this way on every call of one tool",
    },
    dialect: { type: "string", choices: ["mcp", "erlmcp"], about: "Write errors in this dialect" },
    cause: {
      type: "string",
      value: "code",
      about: "Make one error code of erlmcp possible: sets the dialect and the limits that it needs",
    },
    idempotency: { type: "boolean", about: "Honour idempotency keys, and announce that" },
    "delay-ms": {
      type: "string",
      value: "ms",
      about: "How long misbehaviours take that are about time; 200 by default",
    },
  },
  examples: [
    { line: "recourse peer --list", about: "Everything that this server can do wrong." },
    {
      line: "recourse peer --next lost-socket",
      about: "The answer to the first tool call is lost, its effect is not.",
    },
    { line: "recourse peer --stdio --tool charge=garbage-lines", about: "As a program that your client starts." },
    { line: "recourse peer --cause -32032", about: "A server of erlmcp on which a tool can run out of time." },
  ],
  // The peer is large, and the help of the program must not wait for it.
  run: async (given, io) => (await import("../peer/run.ts")).runPeer(given, io),
};
