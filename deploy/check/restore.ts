// Backup and restore under load, with the commands of the page that operators read.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { chainsOf } from "../../bench/gateway-chaos/checks.ts";
import { type CheckResult, resultOf } from "./part.ts";
import { CURRENT } from "./previous.ts";
import { faultOf, type ReplicaSlot } from "./replica.ts";
import { onStage, type Stage } from "./stage.ts";

const PAGE = "docs/operate/backup.md";
const execute = promisify(execFile);

/** How long calls run before the backup, and between it and the loss. */
const CALLS_MS = 3_000;
/** How long replicas may take to find the restored database. */
const BACK_MS = 20_000;

/** Makes a backup under load, loses the database, restores it, and repeats every call with a key. */
export async function checkRestore(): Promise<CheckResult> {
  return onStage(async (stage) => {
    const { slots } = stage;
    const run = (section: string) => runBlocks(section, stage);
    for (const slot of slots) await slot.start(CURRENT);
    const calls = await stage.startCalls(3);
    const [first] = slots as readonly [ReplicaSlot, ...ReplicaSlot[]];
    await approveUnused(first);
    await sleep(CALLS_MS);

    const before = await readRows(stage.postgres);
    await run("Back up");
    const problems: string[] = [];
    // The approval is used, and calls go on, after the backup.
    if (faultOf((await payApproved(first)).json) !== undefined) problems.push("an approved call did not run");
    await sleep(CALLS_MS);
    const { calls: records } = await calls.settle();
    const after = await readRows(stage.postgres);
    const effectsBefore = stage.effects().length;

    await run("Restore");
    const restored = await readRows(stage.postgres);
    problems.push(...compareRows({ before, restored, after }));
    // Two replicas have seen the loss; the third starts with the restored database.
    await slots[2]?.end("SIGTERM");
    await slots[2]?.start(CURRENT);
    await untilServed(first);

    const keyed = chainsOf(records, stage.effects()).filter(({ isKeyed }) => isKeyed);
    const repeats = { stored: 0, held: 0, failed: 0 };
    for (const [at, { id, upstream, calls: made }] of keyed.entries()) {
      const slot = slots[at % slots.length] as ReplicaSlot;
      const args = { effect: id, fate: made[0]?.fate };
      const fault = faultOf((await slot.call(`${upstream}__pay`, args, `key-${id}`)).json);
      const isHeld = fault?.reason === "core/unavailable" && (fault.retry?.afterMs ?? 0) > 60_000;
      repeats[fault === undefined ? "stored" : isHeld ? "held" : "failed"] += 1;
      if (isHeld && fault?.effect !== "none")
        problems.push(`${id} was refused, and its effect is said to be ${fault?.effect}`);
    }
    const twice = chainsOf(records, stage.effects()).filter(({ isKeyed, effects }) => isKeyed && effects.length > 1);
    problems.push(...twice.map(({ id }) => `${id} ran twice`));
    if (repeats.stored === 0 || repeats.held === 0)
      problems.push(`the calls were not repeated: ${JSON.stringify(repeats)}`);
    const asked = faultOf((await payApproved(first)).json)?.reason;
    const paid = stage.effects().filter(({ id }) => id === APPROVED.effect).length;
    if (paid !== 1 || asked?.startsWith("auth/approval_") !== true)
      problems.push(`an approval that was used after the backup let ${paid} calls run; the last one got ${asked}`);
    problems.push(...(await checkVisible(slots)), ...(await checkEnd(stage)));
    const figures = `${keyed.length} calls with a key repeated: ${repeats.stored} stored, ${repeats.held} held, ${repeats.failed} failed as before, ${twice.length} ran twice`;
    return resultOf(`${PAGE}: ${effectsBefore} effects before the loss, ${figures}`, problems);
  });
}

/** Runs the shell commands of a section of the page, in their order. */
async function runBlocks(section: string, { folder, postgres }: Stage): Promise<void> {
  const page = readFileSync(join(CURRENT.root, PAGE), "utf8");
  const text = page.split(/^## /m).find((one) => one.startsWith(`${section}\n`)) ?? "";
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = ""]) => commands);
  if (blocks.length === 0) throw new Error(`${PAGE} has no commands below ${section}`);
  const { hostname, port } = new URL(postgres);
  const env = { ...process.env, PGHOST: hostname, PGPORT: port, PGUSER: "postgres" };
  for (const commands of blocks) await execute("bash", ["-euo", "pipefail", "-c", commands], { cwd: folder, env });
}

const APPROVED = { effect: "approved-before-the-backup", fate: "ok" } as const;
const payApproved = (slot: ReplicaSlot) => slot.call("approved__pay", APPROVED);

/** An approval that is given, and not used yet. */
async function approveUnused(slot: ReplicaSlot): Promise<void> {
  const approval = String(faultOf((await payApproved(slot)).json)?.params?.["approval"]);
  const { status } = await slot.ask(`/approvals/${approval}/decision`, { approve: true });
  if (status !== 200) throw new Error(`an approval could not be given: ${status}`);
}

type Rows = Readonly<Record<string, ReadonlySet<string>>>;

/** What identifies the rows that a restore must bring back. Claims that are still open change, so only ended ones count. */
const ROWS = {
  "idempotency keys": "select encode(key, 'hex') || md5(outcome) as row from gateway_idempotency where settled",
  audit: "select id::text || actor || what || target as row from gateway_event where kind = 'operator'",
  approvals: "select id || tool || arguments as row from gateway_approval",
  incidents: "select id as row from incident",
} as const;

async function readRows(url: string): Promise<Rows> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found: [string, ReadonlySet<string>][] = [];
    for (const [name, sql] of Object.entries(ROWS)) {
      const { rows } = await client.query<{ row: string }>(sql);
      found.push([name, new Set(rows.map(({ row }) => row))]);
    }
    return Object.fromEntries(found);
  } finally {
    await client.end();
  }
}

/** All from before the backup are there, and nothing that was not there before the loss. */
function compareRows({ before, restored, after }: Readonly<Record<"before" | "restored" | "after", Rows>>): string[] {
  const none: ReadonlySet<string> = new Set();
  return Object.keys(ROWS).flatMap((name) => {
    const [old = none, found = none, last = none] = [before[name], restored[name], after[name]];
    const missing = [...old].filter((row) => !found.has(row)).length;
    const strange = [...found].filter((row) => !last.has(row)).length;
    return [
      ...(old.size === 0 ? [`${name}: there were none before the backup`] : []),
      ...(missing > 0 ? [`${name}: ${missing} of ${old.size} are missing`] : []),
      ...(strange > 0 ? [`${name}: ${strange} come from nowhere`] : []),
      ...(name === "idempotency keys" && found.size >= last.size ? [`${name}: no call ran after the backup`] : []),
    ];
  });
}

async function untilServed(slot: ReplicaSlot): Promise<void> {
  const untilMs = Date.now() + BACK_MS;
  while (Date.now() < untilMs) {
    const { status, json } = await slot.ask("/health");
    const { parts } = json as { readonly parts?: { readonly database?: string } };
    const fault = faultOf((await slot.call("plain__pay", { effect: "probe", fate: "ok" }, "probe")).json);
    if (status === 200 && parts?.database === "works" && (fault?.retry?.afterMs ?? 0) > 60_000) return;
    await sleep(100);
  }
  throw new Error("the replicas do not find the restored database, or know no hold");
}

/** Every replica shows the hold, with its end. */
async function checkVisible(slots: readonly ReplicaSlot[]): Promise<readonly string[]> {
  const answers = await Promise.all(slots.map((slot) => slot.ask("/health")));
  return answers.flatMap(({ json }, slot) => {
    const { why = [] } = json as { readonly why?: readonly { readonly part: string; readonly text: string }[] };
    const hold = why.find(({ part }) => part === "hold");
    return hold?.text.includes("are refused until") === true ? [] : [`replica ${slot} does not show the hold`];
  });
}

/** When the hold is over, new keys run, without anybody doing anything. */
async function checkEnd({ postgres, slots, effects }: Stage): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: postgres });
  await client.connect();
  await client.query("update gateway_idempotency set expires = now() + interval '1 second' where key = ''");
  await client.end();
  const slot = slots[1] as ReplicaSlot;
  const untilMs = Date.now() + BACK_MS;
  while (Date.now() < untilMs) {
    const { json } = await slot.call("plain__pay", { effect: "after-the-hold", fate: "ok" }, "after-the-hold");
    if (faultOf(json) === undefined)
      return effects().filter(({ id }) => id === "after-the-hold").length === 1 ? [] : ["a call did not run once"];
    await sleep(100);
  }
  return ["the hold did not end"];
}
