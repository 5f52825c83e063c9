// Loaded before a public server starts (`node --import`): guards whatever McpServer connects in this process, so that the
// server's own code stays as it was published.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { protect } from "@recourse/faults";
import { type GuardOptions, guard } from "@recourse/faults/server";

protect(process.env["PROTECTED"] ?? "");
const options = JSON.parse(process.env["GUARD"] ?? "{}") as GuardOptions;
const connect = McpServer.prototype.connect;

McpServer.prototype.connect = function (this: McpServer, transport) {
  return connect.call(guard(this, options), transport);
};
