// Runs the agent: npm start [-- path of a server] [-- --url http://… with MCP_TOKEN] [-- --yes]
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { fail, render } from "@recourse/faults";
import { observeTransport } from "@recourse/faults/client";
import { toFault } from "@recourse/faults/server";
import { runAgent } from "./agent.ts";
import { scriptedModel, TASK } from "./scripted-model.ts";

const { values, positionals } = parseArgs({
  options: { url: { type: "string" }, yes: { type: "boolean", default: false } },
  allowPositionals: true,
});

/** The server that this project brings. */
const OWN_SERVER = join(import.meta.dirname, "../server/main.ts");

const transport = observeTransport();
const client = new Client(
  { name: "starter-agent", version: "0.1.0" },
  // Over HTTP, a server can ask the user something only in the newer protocol; "auto" uses it where the server knows it.
  { capabilities: { elicitation: {} }, versionNegotiation: { mode: "auto" } },
);
// The server asks before it makes a large refund. The question goes to the user, never to the model.
client.setRequestHandler("elicitation/create", async ({ params }) => {
  const approve = await askUser(params.message);
  return { action: "accept", content: { approve } };
});

try {
  // Put your model here: a function as src/model.ts describes it.
  if (await connect(values.url ?? positionals[0] ?? OWN_SERVER))
    await runAgent(TASK, { client, transport, model: scriptedModel(), print });
  else process.exitCode = 1;
} catch (error) {
  // Whatever it was becomes a fault, which has a sentence for every reader.
  console.error(render(await toFault(error), { for: "person" }));
  process.exitCode = 1;
} finally {
  await client.close();
}

/** Nothing is called yet, so there is no fault to read: here the words of the SDK say best what is wrong. */
async function connect(server: string): Promise<boolean> {
  const connection = values.url === undefined ? stdio(server) : http(server);
  try {
    await client.connect(connection);
    return true;
  } catch (error) {
    console.error(`Cannot connect to ${server}: ${error instanceof Error ? error.message : error}`);
    return false;
  }
}

function stdio(path: string): StdioClientTransport {
  if (!existsSync(path)) throw fail.not_found`There is no server at ${path}.`;
  return transport.child(new StdioClientTransport({ command: process.execPath, args: [path], stderr: "pipe" }));
}

function http(url: string): StreamableHTTPClientTransport {
  const headers = { authorization: `Bearer ${process.env["MCP_TOKEN"] ?? ""}` };
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers }, fetch: transport.fetch });
}

async function askUser(question: string): Promise<boolean> {
  if (values.yes || !process.stdin.isTTY) {
    print("server", `${question} ${values.yes ? "Yes (--yes)." : "No: nobody is here to be asked. --yes approves."}`);
    return values.yes;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`\nserver  ${question} [y/N] `);
  terminal.close();
  return /^y/i.test(answer);
}

function print(who: string, text: string): void {
  console.log(`${who === "model" || who === "user" ? "\n" : ""}${who.padEnd(7)} ${text}`);
}
