// The passthrough server of Civic in front of a server over HTTP: `node passthrough.js <url> <port>`. It runs from the folder
// that has it installed.
import { createPassthroughProxy } from "@civic/passthrough-mcp-server";

const [, , url, port] = process.argv;
const { origin, pathname } = new URL(url);
await createPassthroughProxy({
  source: { transportType: "httpStream", port: Number(port), host: "127.0.0.1", mcpPath: "/mcp" },
  target: { url: origin, transportType: "httpStream", mcpPath: pathname },
  autoStart: true,
});
process.send?.({ port: Number(port) });
