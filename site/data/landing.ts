// What the landing page shows as output, made by running the library, and what it quotes from other pages.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { guard } from "@recourse/faults/server";
import { ROOT } from "../content/sources.ts";

/** Everything on the landing page that could become untrue. */
export interface LandingData {
  /** What the model reads without and with the guard. */
  readonly bare: string;
  readonly guarded: string;
  /** The samples of the README. */
  readonly server: string;
  readonly client: string;
  readonly clientOutput: string;
  readonly scores: readonly Score[];
  readonly promises: readonly Promised[];
  readonly figures: readonly Figure[];
}

interface Score {
  readonly server: string;
  readonly bare: string;
  readonly guarded: string;
}

interface Promised {
  readonly text: string;
  readonly test: string;
}

interface Figure {
  readonly what: string;
  readonly value: string;
  readonly command: string;
}

/** The error of the README's second row. */
const THROWN = "connect ECONNREFUSED postgres://app:hunter2@10.0.0.5";
const INCIDENT = "01M7FGZ4G2MC3N19JYCNTAKZRP";

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** Calls a tool that throws, on a real server with a real client. */
async function readReply(wrap: (server: McpServer) => McpServer): Promise<string> {
  const server = wrap(new McpServer({ name: "orders", version: "1.0.0" }));
  server.registerTool("cancel_order", { description: "Cancels an order." }, () => {
    throw new Error(THROWN);
  });
  const client = new Client({ name: "site", version: "1.0.0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  const { content } = await client.callTool({ name: "cancel_order", arguments: {} });
  await client.close();
  const [first] = content;
  return first?.type === "text" ? first.text.replaceAll("\n", " ") : "";
}

/** Servers of which the survey knows a score without and with the guard. */
const SURVEYED: readonly string[] = ["SDK 1, http", "SDK 2, http", "SDK 1, stdio", "SDK 2, stdio"];

function readScores(): readonly Score[] {
  const rows = read("docs/survey.md")
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()));
  const find = (name: string) => rows.find(([, server]) => server === name)?.[5] ?? "";
  return SURVEYED.map((server) => ({ server, bare: find(`${server}, bare`), guarded: find(`${server}, guarded`) }));
}

/** Promises of SECURITY.md, found by the test that holds them. */
const PROMISES: readonly string[] = [
  "packages/core/test/safety-table.test.ts",
  "packages/core/test/invariants/secrets.test.ts",
  "packages/core/test/peers/server/unanswered.test.ts",
  "packages/core/src/safety/speed.test.ts",
];

function readPromises(): readonly Promised[] {
  const bullets = read("SECURITY.md")
    .split(/\n(?=- |\n)/)
    .map((bullet) => bullet.replaceAll(/\s+/g, " ").trim());
  return PROMISES.map((test) => {
    const bullet = bullets.find((one) => one.startsWith("- ") && one.includes(test)) ?? "";
    const [text = ""] = /^- (.*?)(?=:? `packages)/.exec(bullet)?.slice(1) ?? [];
    return {
      text: `${text.replaceAll(/\[([^\]]*)\]\([^)]*\)|[*`]/g, "$1").replace(/:$/, "")}.`.replace(/\.\.$/, "."),
      test,
    };
  });
}

/** Rows of the pages of figures. The heading above a table names its command. */
const FIGURES: readonly {
  readonly file: string;
  readonly row: string;
  readonly column: number;
  readonly what: string;
}[] = [
  {
    file: "docs/figures.md",
    row: "`toFault` of a thrown `Error`",
    column: 2,
    what: "to make a fault from a thrown error",
  },
  { file: "docs/figures.md", row: "`render` for a model", column: 2, what: "to write the sentence for the model" },
  { file: "docs/figures.md", row: "`@recourse/faults`", column: 4, what: "is all that the library brings with it" },
  {
    file: "docs/gateway/figures.md",
    row: "gateway, all on, leased",
    column: 3,
    what: "calls a second through one gateway on two shared cores, with all controls on",
  },
];

function readFigures(): readonly Figure[] {
  return FIGURES.map(({ file, row, column, what }) => {
    let command = "";
    for (const line of read(file).split("\n")) {
      const [, named] = /^## .*`(.+)`/.exec(line) ?? [];
      command = named ?? command;
      const cells = line.split("|").map((cell) => cell.trim());
      if (cells[1] === row && cells.length > column + 1)
        return { what, value: (cells[column] ?? "").replaceAll("`", ""), command };
    }
    return { what, value: "", command: "" };
  });
}

function readFence(markdown: string, start: RegExp): string {
  const [, code = ""] = new RegExp(`${start.source}\\n([\\s\\S]*?)\\n\`\`\``).exec(markdown) ?? [];
  return code;
}

/** Reads and runs everything that the landing page shows. */
export async function makeLanding(): Promise<LandingData> {
  const readme = read("README.md");
  return {
    bare: await readReply((server) => server),
    guarded: await readReply((server) =>
      guard(server, { sink: () => undefined, testing: { createId: () => INCIDENT } }),
    ),
    server: readFence(readme, /```ts file=server\.ts/),
    client: readFence(readme, /## Client[\s\S]*?```ts/),
    clientOutput: readFence(readme, /```text output/),
    scores: readScores(),
    promises: readPromises(),
    figures: readFigures(),
  };
}
