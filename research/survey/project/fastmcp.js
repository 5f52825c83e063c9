// The shop on FastMCP. `node fastmcp.js stdio|http bare|guarded [port]`. It runs from the folder that has FastMCP installed.
import { guardTool } from "@recourse/faults/server";
import { FastMCP } from "fastmcp";
import * as z from "zod";

const [, , transport, mode, port] = process.argv;
const server = new FastMCP({ name: "shop", version: "1.0.0" });
const items = new Map([["A-1", { id: "A-1", name: "Green tea", price: 4.5 }]]);

function addTool(name, { description, parameters, execute }) {
  server.addTool({
    name,
    description,
    parameters,
    annotations: { readOnlyHint: true },
    execute: mode === "guarded" ? guardTool(name, execute) : execute,
  });
}

addTool("get_item", {
  description: "Returns one item.",
  parameters: z.object({ id: z.string(), currency: z.enum(["EUR", "USD"]).optional() }),
  async execute({ id }) {
    const item = items.get(id);
    if (item === undefined) throw new Error(`No item ${id}`);
    return JSON.stringify(item);
  },
});
addTool("get_delivery_date", {
  description: "Asks the warehouse when an item can be delivered.",
  parameters: z.object({ id: z.string() }),
  // The warehouse is down: port 9 of this machine, where nothing listens.
  async execute({ id }) {
    const answer = await fetch(`http://127.0.0.1:9/delivery/${encodeURIComponent(id)}`);
    return JSON.stringify(await answer.json());
  },
});
server.addResource({
  uri: "shop://terms",
  name: "terms",
  mimeType: "text/plain",
  load: async () => ({ text: "Delivery within two days." }),
});

await server.start(
  transport === "http"
    ? {
        transportType: "httpStream",
        httpStream: { port: Number(port), host: "127.0.0.1", endpoint: "/mcp", stateless: true },
      }
    : { transportType: "stdio" },
);
