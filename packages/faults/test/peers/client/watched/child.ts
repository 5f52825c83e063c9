// A stdio server that greets well, and ends as it is told when it is called.
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Era } from "../../peers.ts";
import { HANDSHAKE } from "./server.ts";

/** How the server process ends when its tool is called; JavaScript that runs in it. */
export type LastWords = string;

function script(onCall: LastWords): string {
  return `
    const greet = ${JSON.stringify(HANDSHAKE)};
    const lines = require("node:readline").createInterface({ input: process.stdin });
    lines.on("line", (line) => {
      const { id, method } = JSON.parse(line);
      if (id === undefined) return;
      const result = greet[method];
      if (result === undefined) { ${onCall} }
      else process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
    });`;
}

/** A transport of an era to a process that runs `onCall` when it is called. */
export function childOf(era: Era, onCall: LastWords): StdioV1 | StdioV2 {
  return childRunning(era, script(onCall));
}

/** A transport of an era to a process that runs a script. */
export function childRunning(era: Era, code: string, stderr: "pipe" | "ignore" = "pipe"): StdioV1 | StdioV2 {
  const Transport = era === "v1" ? StdioV1 : StdioV2;
  return new Transport({ command: process.execPath, args: ["-e", code], stderr });
}
