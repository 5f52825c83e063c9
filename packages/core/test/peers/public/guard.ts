// Loaded before a public server starts (`node --import`): guards every McpServer that connects in this process, so that the
// published code of the server runs unchanged.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { registerSecrets } from "@recourse/core";
import { type GuardOptions, guard } from "@recourse/core/server";

registerSecrets(process.env["REGISTERED_SECRET"]);
const options = JSON.parse(process.env["GUARD"] ?? "{}") as GuardOptions;
const connect = McpServer.prototype.connect;

McpServer.prototype.connect = function (this: McpServer, transport) {
  return connect.call(guard(this, options), transport);
};
