// How each tool may fail, in the codes of Closient's document: in the list of the running server, and in the README.
import { readFileSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { closient } from "@recourse/dialects/closient";
import { declares, failureTable } from "@recourse/faults/server";
import { afterAll, expect, test } from "vitest";
import { TOOLS } from "../src/operations/operations.ts";
import { createTestEnvironment } from "./support/test-environment.ts";

const environment = await createTestEnvironment();
afterAll(() => environment.close());

/** The table of the document. */
const DOCUMENT = {
  ping: [],
  validate_gtin: [],
  resolve_gtin: [-32101, -32200],
  lookup_product: [-32101],
  generate_qr_url: [-32101, -32002],
};
/** What this server answers beyond it: qualifiers that GS1 does not allow together, and a tool that can conflict. */
const BEYOND: Readonly<Record<string, readonly number[]>> = {
  generate_qr_url: [-32102],
  claim_gtin: [-32002, -32101, -32200, -32201],
};

async function listed(query = "") {
  const client = new Client({ name: "test", version: "0.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${environment.url}/mcp${query}`)));
  const { tools } = await client.listTools();
  await client.close();
  return tools;
}

const codesOf = (tool: { readonly _meta?: Readonly<Record<string, unknown>> | undefined }) =>
  tool._meta?.["recourse/codes"] as readonly number[] | undefined;

test("the list of the running server has the codes of the document", async () => {
  const codes = (await listed()).map((tool) => [tool.name, [...new Set(codesOf(tool))].toSorted((a, b) => a - b)]);
  const expected = Object.entries({ ...DOCUMENT, claim_gtin: [] }).map(([name, ofDocument]) => [
    name,
    [...ofDocument, ...(BEYOND[name] ?? [])].toSorted((a, b) => a - b),
  ]);
  expect(Object.fromEntries(codes)).toEqual(Object.fromEntries(expected));
});

test("a client that asks for MCP's own form gets no codes", async () => {
  for (const tool of await listed("?dialect=mcp")) expect(codesOf(tool)).toBeUndefined();
});

test("the codes make the list longer by less than a tenth", async () => {
  const [bare, coded] = [await listed("?dialect=mcp"), await listed()].map((tools) => JSON.stringify(tools).length);
  expect((coded as number) / (bare as number)).toBeLessThan(1.1);
});

test("the README has the table", async () => {
  const tools = TOOLS.map(({ name, reasons }) => ({ name, _meta: declares(...reasons) }));
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  expect(readme).toContain(await failureTable(tools, { dialect: closient }));
});
