// A stdio server that answers the handshake correctly, and runs a script when its tool is called.
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Era } from "@recourse/test-kit/sdk-pairs";
import { HANDSHAKE } from "./call-server.ts";

/** JavaScript that runs in the server process. */
type Script = string;

/** A transport to a server process that runs `onCall` when its tool is called. */
export function stdioServer(era: Era, onCall: Script): StdioV1 | StdioV2 {
  return stdioScript(
    era,
    `
    const handshake = ${JSON.stringify(HANDSHAKE)};
    const lines = require("node:readline").createInterface({ input: process.stdin });
    lines.on("line", (line) => {
      const { id, method } = JSON.parse(line);
      if (id === undefined) return;
      const result = handshake[method];
      if (result === undefined) { ${onCall} }
      else process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
    });`,
  );
}

/** A transport to a process that runs a script. */
export function stdioScript(era: Era, code: Script, stderr: "pipe" | "ignore" = "pipe"): StdioV1 | StdioV2 {
  const Transport = era === "v1" ? StdioV1 : StdioV2;
  return new Transport({ command: process.execPath, args: ["-e", code], stderr });
}
