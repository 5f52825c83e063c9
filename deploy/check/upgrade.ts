// Two versions on one database, and back. Replicas are replaced one by one while calls with keys, approvals and failures
// go through them.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type Chain, chainsOf, checksOf } from "../../bench/gateway-chaos/checks.ts";
import { DEADLINE_MS } from "../../bench/gateway-chaos/deadlines.ts";
import { incidentReport, storedIncidents } from "../../bench/gateway-chaos/incidents.ts";
import type { Happened } from "../../bench/gateway-chaos/records.ts";
import { type CheckResult, type DeployPart, notRun, resultOf } from "./part.ts";
import { CURRENT, unpackVersion, type Version } from "./previous.ts";
import { type Answer, faultOf, type ReplicaSlot, runCli } from "./replica.ts";
import { checkRestore } from "./restore.ts";
import { missingPrograms, onStage } from "./stage.ts";

/** Checks upgrade, return, and restore. `RECOURSE_PREVIOUS` is the commit of the version before this one. */
export const checkUpgrade: DeployPart = async () => {
  const missing = missingPrograms();
  if (missing.length > 0) return [notRun("upgrade and restore", `${missing.join(", ")} not found`)];
  const restore = await orFailed("backup and restore", checkRestore);
  const commit = process.env["RECOURSE_PREVIOUS"];
  if (commit === undefined || commit === "")
    return [restore, notRun("upgrade and back", "RECOURSE_PREVIOUS does not name the commit of the version before")];
  let previous: Version;
  try {
    previous = unpackVersion(commit);
  } catch (thrown) {
    return [
      restore,
      resultOf(`RECOURSE_PREVIOUS=${commit}`, [thrown instanceof Error ? thrown.message : String(thrown)]),
    ];
  }
  return [
    restore,
    await orFailed("the lock of a change", () => checkLock(previous)),
    await orFailed("upgrade and back", () => checkRoll([previous, CURRENT], 1)),
    await orFailed("back and upgrade", () => checkRoll([CURRENT, previous], 2)),
  ];
};

/** A check that could not go on has failed, and the others run all the same. */
async function orFailed(name: string, check: () => Promise<CheckResult>): Promise<CheckResult> {
  try {
    return await check();
  } catch (thrown) {
    return resultOf(name, [thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)]);
  }
}

/** One replica that is replaced. */
interface Replacement {
  readonly slot: number;
  /** The version that comes: the first one, or the second. */
  readonly to: 0 | 1;
  readonly by: "SIGTERM" | "SIGKILL";
}

/** All forward, then back; the last replica stays, so that both versions run in the end. */
const ROLL: readonly Replacement[] = [
  { slot: 0, to: 1, by: "SIGTERM" },
  { slot: 1, to: 1, by: "SIGKILL" },
  { slot: 2, to: 1, by: "SIGTERM" },
  { slot: 0, to: 0, by: "SIGKILL" },
  { slot: 1, to: 0, by: "SIGTERM" },
];
/** How long calls go through each mixture of versions. */
const MIXED_MS = 2_000;
/** These depend on how fast the machine is. */
const TIMED: readonly string[] = [
  "a call that ended later than its deadline allows",
  "an incident that was lost outside the bound",
];

async function checkRoll(versions: readonly [Version, Version], seed: number): Promise<CheckResult> {
  const title = `${versions[0].name} → ${versions[1].name} → ${versions[0].name}`;
  return onStage(async (stage) => {
    const { slots } = stage;
    // The first makes the tables.
    for (const slot of slots) await slot.start(versions[0]);
    const calls = await stage.startCalls(seed);
    const approvals = startApprovals(slots);
    await sleep(MIXED_MS);
    const happened: Happened[] = [];
    const problems: string[] = [];
    for (const { slot, to, by } of ROLL) {
      const replica = slots[slot] as ReplicaSlot;
      const fromMs = Date.now();
      const code = await replica.end(by);
      if (by === "SIGTERM" && code !== 0) problems.push(`a replica that was asked to end ended with ${code}`);
      await replica.start(versions[to]);
      if (by === "SIGKILL") happened.push({ what: "kill", target: `replica-${slot}`, fromMs, untilMs: Date.now() });
      await sleep(MIXED_MS);
    }
    const approved = await approvals.end();
    const { calls: records, incidents } = await calls.settle();
    const chains = chainsOf(records, stage.effects());
    const repeated = await repeatSucceeded(chains, slots);
    const effects = Map.groupBy(stage.effects(), ({ id }) => id);
    const stored = (await storedIncidents(stage.postgres, "incident")) ?? new Set();
    const logs = slots.map(({ log }) => readFileSync(log, "utf8"));
    const checks = [
      ...checksOf(chainsOf(records, stage.effects()), DEADLINE_MS),
      incidentReport(incidents, { stored, happened, logs }).check,
    ].filter(({ name }) => !TIMED.includes(name));
    const lost = [...chains.filter(hasNoEnd).map(({ id }) => `${id} has no outcome`), ...repeated, ...approved.lost];
    const twice = approved.ids.filter((id) => (effects.get(id)?.length ?? 0) > 1);
    const duplicates = twice.length + countTwice(chainsOf(records, stage.effects()));
    problems.push(
      ...checks.flatMap(({ name, bad, cases }) => (bad > 0 ? [`${bad} × ${name}`, ...cases] : [])),
      ...lost,
      ...twice.map((id) => `${id} ran twice`),
      ...approved.done
        .filter((id) => effects.get(id)?.length !== 1)
        .map((id) => `${id} succeeded, and its effect was not made once`),
      ...(await readByBoth(slots)),
      ...slots.flatMap(({ crashes }, slot) => (crashes > 0 ? [`replica ${slot} ended by itself`] : [])),
      ...logs.flatMap((log, slot) =>
        log.includes("Unexpected exception") ? [`replica ${slot} met an unexpected exception`] : [],
      ),
    );
    const kills = happened.length;
    return resultOf(
      `${title}: ${records.length} calls, ${approved.done.length} approved ones, ${ROLL.length} replicas replaced, ${kills} of them killed, ${duplicates} duplicates, ${lost.length} lost outcomes`,
      problems,
    );
  });
}

/** Whether a call with a key was still open when its caller gave up. */
function hasNoEnd({ isKeyed, calls }: Chain): boolean {
  const last = calls.at(-1);
  return isKeyed && last?.ok !== true && (last?.effect === "none" || last?.moves?.[0] === "retry");
}

function countTwice(chains: readonly Chain[]): number {
  return chains.filter(({ isKeyed, effects }) => isKeyed && effects.length > 1).length;
}

/** So many calls that succeeded are repeated with their key, at each replica. */
const REPEATED = 20;

/** Calls that succeeded give their stored answer at each replica, whatever version runs there. */
async function repeatSucceeded(chains: readonly Chain[], slots: readonly ReplicaSlot[]): Promise<readonly string[]> {
  const done = chains.filter(({ isKeyed, calls }) => isKeyed && calls.some(({ ok }) => ok)).slice(-REPEATED);
  const problems: string[] = done.length === 0 ? ["no call with a key succeeded"] : [];
  for (const { id, upstream, calls } of done) {
    for (const slot of slots) {
      const fate = calls[0]?.fate;
      const { json } = await slot.call(`${upstream}__pay`, { effect: id, fate }, `key-${id}`);
      const reason = faultOf(json)?.reason;
      if (reason !== undefined) problems.push(`${id} succeeded, and ${slot.version?.name} answered ${reason}`);
    }
  }
  return problems;
}

/** Lists that both versions must show alike. */
const LISTS = ["/audit", "/approvals", "/incidents"] as const;

async function readByBoth(slots: readonly ReplicaSlot[]): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const path of LISTS) {
    const answers = await Promise.all(slots.map((slot) => slot.ask(`${path}?limit=100`)));
    const ids = answers.map(({ status, json }) =>
      status === 200 ? (json as { items: { id: string }[] }).items.map(({ id }) => id) : [`status ${status}`],
    );
    const [first = []] = ids;
    if (first.length === 0) problems.push(`${path} is empty`);
    if (ids.some((other) => other.join() !== first.join())) problems.push(`${path} differs between the versions`);
  }
  return problems;
}

/** How long one approval may take, over all repetitions. */
const APPROVAL_MS = 60_000;

/** Makes calls that a person has to approve, one after the other, at all replicas in turn. */
function startApprovals(slots: readonly ReplicaSlot[]) {
  let isOver = false;
  let turn = 0;
  const ids: string[] = [];
  const done: string[] = [];
  const lost: string[] = [];
  const next = () => slots[turn++ % slots.length] as ReplicaSlot;
  const tryAll = async (ask: (slot: ReplicaSlot) => Promise<Answer>): Promise<Answer | undefined> => {
    // A replica that was killed in the middle gives no answer.
    return ask(next()).catch(() => undefined);
  };
  const run = async (id: string) => {
    const untilMs = Date.now() + APPROVAL_MS;
    while (Date.now() < untilMs) {
      const answer = await tryAll((slot) => slot.call("approved__pay", { effect: id, fate: "ok" }, `key-${id}`));
      const fault = faultOf(answer?.json);
      if (answer !== undefined && fault === undefined) return void done.push(id);
      const approval = fault?.params?.["approval"];
      if (fault?.reason === "auth/approval_required" && typeof approval === "string")
        await tryAll((slot) => slot.ask(`/approvals/${approval}/decision`, { approve: true }));
      // The replica was killed after it had sent the call: only a person can find out.
      else if (fault !== undefined && fault.effect !== "none" && fault.retry?.allowed !== true) return;
      else await sleep(100);
    }
    lost.push(`${id} has no outcome`);
  };
  const running = (async () => {
    for (let at = 0; !isOver; at++) {
      const id = `approval-${at}`;
      ids.push(id);
      await run(id);
    }
  })();
  return {
    async end() {
      isOver = true;
      await running;
      return { ids, done, lost };
    },
  };
}

/** A new replica whose change of a table has to wait ends after three seconds, and nothing has changed. */
async function checkLock(previous: Version): Promise<CheckResult> {
  const name = "a replica that cannot change the tables";
  return onStage(async (stage) => {
    const [old, fresh] = stage.slots as readonly [ReplicaSlot, ReplicaSlot];
    await old.start(previous);
    const parts = await readDatabaseCheck(fresh.file);
    if (!parts.some(({ state, has }) => state === "older" && has > 0))
      return notRun(name, `${previous.name} has the same tables`);
    const client = new pg.Client({ connectionString: stage.postgres });
    await client.connect();
    try {
      const before = await describeTables(client);
      await lockAll(client);
      const problem = await fresh.start(CURRENT).then(
        () => "it started",
        (thrown: Error) => (thrown.message.includes("a query uses a table") ? undefined : thrown.message),
      );
      const answer = await old.call("plain__pay", { effect: "while-locked", fate: "ok" }, "while-locked");
      await client.query("rollback");
      const isSame = (await describeTables(client)) === before;
      await fresh.start(CURRENT);
      return resultOf(`${name} ends, and has changed nothing`, [
        ...(problem === undefined ? [] : [problem]),
        ...(isSame ? [] : ["the tables have changed"]),
        ...(faultOf(answer.json) === undefined ? [] : ["the old replica did not serve a call meanwhile"]),
      ]);
    } finally {
      await client.end();
    }
  });
}

/** What this version says about the database before it starts. */
async function readDatabaseCheck(file: string): Promise<readonly { readonly state: string; readonly has: number }[]> {
  const child = runCli(CURRENT, ["serve", "--check", "--database", "--json", file], { output: "pipe" });
  let text = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  await once(child, "close");
  return (JSON.parse(text) as { database: { parts: { state: string; has: number }[] } }).database.parts;
}

/** Reads of a long report: they let calls pass, and no change of a table. */
async function lockAll(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_tables where schemaname = current_schema() and tablename <> 'gateway_schema'",
  );
  await client.query("begin");
  await client.query(`lock table ${rows.map(({ name }) => name).join(", ")} in access share mode`);
}

async function describeTables(client: pg.Client): Promise<string> {
  const { rows } = await client.query(
    `select table_name, column_name, data_type from information_schema.columns where table_schema = current_schema()
     order by table_name, ordinal_position`,
  );
  const { rows: versions } = await client.query("select part, version from gateway_schema order by part");
  return JSON.stringify([rows, versions]);
}
