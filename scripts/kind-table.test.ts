import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import * as faults from "@recourse/core";
import * as reasons from "@recourse/core/reasons";
import { guard, type Incident } from "@recourse/core/server";
import { expect, test } from "vitest";

/** One row: what happened, the kind, the code between one or two backticks, the sentence. */
const ROW = /^\| [^|]+ \| \[`(\w+)`\]\(\S+\) \| (?:`` (.+) ``|`([^`]+)`) \| (.+) \|$/gm;
const page = readFileSync(join(import.meta.dirname, "../docs/guide/choose-a-kind.md"), "utf8");
const rows = [...page.matchAll(ROW)].map(([, kind, tagged, called, sentence]) => ({
  kind,
  code: tagged ?? called ?? "",
  sentence,
}));

test("the page 'Choose a kind' has every kind that you can throw, and a row for each line of code", () => {
  expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(Object.keys(faults.fail)));
  expect(rows).toHaveLength(page.match(/^\| .+ \| \[`\w+`\]/gm)?.length ?? 0);
});

test("its lines make a guarded server say what the page says", async () => {
  const reported: unknown[] = [];
  const sink = ({ fault }: Incident) => void reported.push(fault.kind);
  const server = guard(new McpServer({ name: "kinds", version: "1.0.0" }), { sink });
  for (const [index, { code }] of rows.entries())
    server.registerTool(`row_${index}`, {}, () => {
      throw evaluate(code);
    });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: "reader", version: "1.0.0" });
  await client.connect(near);

  const said: { kind: string; code: string; sentence: string }[] = [];
  for (const [index, { code }] of rows.entries()) {
    const { content, _meta } = await client.callTool({ name: `row_${index}`, arguments: {} });
    const text = content[0]?.type === "text" ? content[0].text : "";
    const kind = faults.readFault(_meta?.["recourse/fault"])?.kind ?? "";
    said.push({ kind, code, sentence: text.replace(/ If you report this, give incident \w{26}\.$/, "") });
  }
  await client.close();
  expect(said).toEqual(rows);
  const [, listed = ""] = /An incident id follows\*\* the sentences of (.+)\. The tables/.exec(page) ?? [];
  expect(new Set(reported)).toEqual(new Set([...listed.matchAll(/`(\w+)`/g)].map(([, kind]) => kind)));
});

/** The error that a line of the page makes, with the names of the library in scope. */
function evaluate(code: string): unknown {
  const names = { ...faults, ...reasons };
  return new Function(...Object.keys(names), `return ${code}`)(...Object.values(names));
}
