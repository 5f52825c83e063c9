// What an MCP client sees of a hundred replies of well-known APIs, through our bridge and through three public ones.
// Run with `npm run research -- bridges [--details <file>]`. The public bridges are installed from
// npm into a temporary folder, which is removed afterwards; all calls stay on this machine.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { callAll, MAX_WAIT_MS, type Row } from "./call-all.ts";
import { npmInstall, PEERS, type Peer } from "./peers.ts";
import { documentFor, startUpstream } from "./upstream.ts";

const { details } = parseArgs({ options: { details: { type: "string" } } }).values;

/** Gets a bridge ready in a folder of its own, and shows it every reply. */
async function measure(peer: Peer): Promise<{ readonly rows: readonly Row[]; readonly repeated: number }> {
  const folder = mkdtempSync(join(tmpdir(), "bridges-"));
  const upstream = await startUpstream();
  try {
    const document = join(folder, "things.json");
    writeFileSync(document, JSON.stringify(documentFor(upstream.url)));
    if (peer.from !== undefined) await npmInstall(folder, [peer.from]);
    const rows = await callAll(peer, await peer.prepare({ folder, document, url: upstream.url }));
    // A bridge that never asked was started wrongly, and its answers say nothing.
    const silent = upstream.asked.filter((times) => times === 0).length;
    if (silent > 0) throw new Error(`it did not ask for ${silent} of the replies`);
    const repeated = rows.filter(({ isWrite }, index) => isWrite && (upstream.asked[index] ?? 0) > 1).length;
    return { rows, repeated };
  } finally {
    await upstream.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** How many hold among those that are asked at all. */
function share(rows: readonly Row[], holds: (row: Row) => boolean | undefined): string {
  const asked = rows.map(holds).filter((one) => one !== undefined);
  return `${asked.filter(Boolean).length}/${asked.length}`;
}

const HEAD = [
  "bridge",
  "recognised as what it is",
  "cause kept",
  "wait kept",
  "leaked",
  "writes sent again",
  `no answer in ${MAX_WAIT_MS / 1_000} s`,
];
const table: (readonly string[])[] = [HEAD, HEAD.map(() => "---")];
const written: object[] = [];
for (const peer of PEERS) {
  try {
    const { rows, repeated } = await measure(peer);
    table.push([
      peer.from ?? peer.name,
      share(rows, ({ recognised }) => recognised),
      share(rows, ({ cause }) => cause),
      share(rows, ({ wait }) => wait),
      share(rows, ({ leaked }) => leaked),
      `${repeated}/${rows.filter(({ isWrite }) => isWrite).length}`,
      share(rows, ({ isMissing }) => isMissing),
    ]);
    written.push(...rows.map((row) => ({ bridge: peer.name, ...row })));
  } catch (error) {
    // Without the registry there is nothing to compare with, and that is worth a line of its own.
    console.error(`${peer.name} was left out: ${(error as Error).message.split("\n", 1).join()}`);
  }
}
console.log(table.map((cells) => `| ${cells.join(" | ")} |`).join("\n"));
if (details !== undefined) writeFileSync(details, `${written.map((row) => JSON.stringify(row)).join("\n")}\n`);
