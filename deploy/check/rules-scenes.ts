// For each runbook: the gateway is brought into the state of the alert, Prometheus fires it, the commands of the page run, the
// state ends, and the alert recovers.
import { setTimeout as wait } from "node:timers/promises";
import { twoAtOnce } from "../../scripts/two-at-once.ts";
import { type CheckResult, notRun, resultOf } from "./part.ts";
import { type FiringAlert, hasten, type Prometheus, waitFor } from "./rules-prometheus.ts";
import { queriesIn, type Runbook, runbookName, type Script, scriptsIn } from "./rules-runbooks.ts";
import { OPERATOR_KEY, type World } from "./rules-world.ts";

/** The state of one alert. */
interface Scene {
  /** The labels of the alert, besides its job. */
  readonly labels?: Readonly<Record<string, string>>;
  /** @default "gateway" */
  readonly job?: "gateway" | "memory";
  /** The upstream in the place of `shop`. @default "shop" */
  readonly upstream?: "till" | "crm";
  enter(world: World): unknown;
  leave(world: World): unknown;
  /** The id in the place of the one on the page. @default the newest incident */
  id?(world: World): Promise<string>;
  /** What the commands must have shown, all together. */
  readonly shows: readonly RegExp[];
  /** Exit codes of commands that fail in this state, by how the command begins. @default those of `EXITS` */
  readonly exits?: Readonly<Record<string, readonly number[]>>;
  /** Whether the query of the page has no result in this state. @default false */
  readonly isSilent?: boolean;
}

/** Exit codes that a command may have, by how it begins. Others must end with 0. */
const EXITS: Readonly<Record<string, readonly number[]>> = {
  "recourse status": [0, 1],
  "recourse doctor": [0, 1],
  "recourse serve --check": [0, 1, 2, 3],
};

const refuseRows = (table: string, when: string) => `create function refuse_${table}() returns trigger language plpgsql
  as $$ begin raise exception 'refused' using errcode = '22021'; end $$;
  create trigger refuse_row before insert on ${table} for each row ${when} execute function refuse_${table}()`;

/** The scenes, in rounds: those of one round do not disturb each other. */
const ROUNDS: readonly Readonly<Record<string, Scene>>[] = [
  {
    RecourseUpstreamFailing: {
      labels: { recourse_upstream: "shop" },
      enter: ({ load }) => void load.add("shop__broken"),
      leave: ({ load }) => void load.delete("shop__broken"),
      id: (world) => newestId(world, "incidents?tool=shop__broken&limit=1"),
      shows: [/shop__broken/, /core\/unavailable/],
    },
    RecourseBreakerOpen: {
      upstream: "till",
      labels: { recourse_upstream: "till", severity: "page" },
      async enter({ load, upstreams }) {
        await upstreams.till.stop();
        load.add("till__ok");
      },
      leave: ({ upstreams }) => upstreams.till.start(),
      shows: [/upstream till/, /"reset":true/, /ECONNREFUSED|cannot be reached|refused/i],
    },
    RecourseUpstreamNotListed: {
      upstream: "crm",
      labels: { recourse_upstream: "crm" },
      enter: () => {},
      // A file that was read makes the gateway ask at once.
      async leave({ upstreams, reload }) {
        await upstreams.crm.start();
        await reload("deadline: 50s");
      },
      shows: [/upstream crm/, /"listed":"never"/],
    },
    RecourseEffectsUnknown: {
      labels: { recourse_upstream: "shop" },
      enter: ({ call }) => void Promise.allSettled(Array.from({ length: 30 }, () => call("shop__lost"))),
      leave: () => {},
      id: (world) => newestId(world, "incidents?tool=shop__lost&limit=1"),
      shows: [/shop__lost/, /"effect":"possible"/, /transport\/connection_lost/],
    },
    RecourseOwnFaults: {
      labels: { severity: "page" },
      async enter({ database, load }) {
        await database.query(refuseRows("gateway_approval", "when (new.tool = 'shop__odd')"));
        load.add("shop__odd");
      },
      leave: ({ load }) => void load.delete("shop__odd"),
      id: (world) => newestId(world, "incidents?kind=internal&tool=shop__odd&limit=1"),
      shows: [/core\/internal/, /shop__odd/],
    },
    RecourseApprovalsWaiting: {
      enter: ({ call }) => call("shop__refund", { order: 7 }),
      // The page has decided.
      leave: () => {},
      id: (world) => newestId(world, "approvals?state=pending&limit=1"),
      shows: [/shop__refund/, /Approved/],
      // One call cannot be approved and denied.
      exits: { "recourse approvals deny": [1] },
    },
    RecourseReloadRefused: {
      enter: ({ reload }) => reload("no_such_option: true"),
      leave: ({ reload }) => reload("deadline: 55s"),
      shows: [/no_such_option/],
    },
    RecourseMemoryStore: {
      job: "memory",
      enter: () => {},
      leave: ({ stopSecond }) => stopSecond(),
      shows: [/"version"/],
    },
  },
  {
    RecourseControlAway: {
      labels: { control: "limits", severity: "page" },
      enter: ({ redis }) => redis.kill(),
      leave: ({ redis }) => redis.start(),
      shows: [/limits/, /"away"/, /a store does not answer/],
    },
    RecourseIncidentsDropped: {
      labels: { what: "incident" },
      async enter({ database, load }) {
        await database.query(refuseRows("incident", ""));
        load.add("shop__broken");
      },
      async leave({ database, load }) {
        await database.query("drop trigger refuse_row on incident");
        load.delete("shop__broken");
      },
      // It is only in the log.
      id: async ({ log }) =>
        /"fault\.incident":"(\w{26})"|"incident":"(\w{26})"/.exec(log())?.slice(1).find(Boolean) ?? "",
      shows: [/"dropped":[1-9]/, /gateway\.log/],
    },
  },
  {
    RecourseDown: {
      enter: ({ stopGateway }) => stopGateway(),
      leave: ({ startGateway }) => startGateway(),
      id: () => Promise.resolve(""),
      shows: [/Nothing listens on/, /store shared/],
      exits: { "recourse status": [3] },
      isSilent: true,
    },
  },
];

async function newestId({ adminUrl }: World, path: string): Promise<string> {
  const headers = { authorization: `Bearer ${OPERATOR_KEY}` };
  const answer = await fetch(`${adminUrl}/admin/v1/${path}`, { headers });
  const { items } = (await answer.json()) as { readonly items: readonly { readonly id: string }[] };
  return items[0]?.id ?? "";
}

/** The id that the pages show. */
const EXAMPLE_ID = "01M7HXRMR83H8Q9JKGBAVMDXX4";
const EXAMPLE_URL = "http://127.0.0.1:3000/mcp";

/** What a play found, and the metrics of the gateway in the states that it went through. */
interface Play {
  readonly results: readonly CheckResult[];
  readonly metrics: readonly string[];
}

/** Runs the commands of all pages: in their scene if they have one, else against a gateway that works. */
export async function playScenes(world: World, prometheus: Prometheus, pages: readonly Runbook[]): Promise<Play> {
  world.load.add("shop__ok");
  const played = new Set(ROUNDS.flatMap((round) => Object.keys(round).map(runbookName)));
  const others = pages.filter(({ name }) => !played.has(name));
  const results = await twoAtOnce(
    others.map((page) => async () => {
      const { problems } = await runPage(page, { world, prometheus });
      return resultOf(`${page.name}: commands and queries, without the state`, problems);
    }),
  );
  // RecourseEffectsUnknown compares with 15 minutes before.
  const before = hasten('recourse_build_info{job="gateway"} offset 15m ');
  await waitFor("there is something to compare with", async () => (await prometheus.query(before)).length > 0);
  const watch = watchAlerts(prometheus);
  const metrics: string[] = [];
  try {
    for (const round of ROUNDS) {
      results.push(...(await playRound(round, { world, prometheus, pages, watch })));
      metrics.push(await world.metrics());
    }
  } finally {
    await watch.stop();
  }
  const left = pages.flatMap(({ text }) => scriptsIn(text).filter(({ runsHere }) => !runsHere)).length;
  results.push(notRun(`${left} blocks of commands`, "they need Docker Compose or Kubernetes"));
  return { results, metrics };
}

/** Remembers alerts that have fired: in hastened rules some end before anybody looks. */
function watchAlerts(prometheus: Prometheus) {
  const fired: FiringAlert[] = [];
  let isOver = false;
  const ended = (async () => {
    while (!isOver) {
      fired.push(...(await prometheus.firing().catch(() => [])));
      await wait(300);
    }
  })();
  return {
    /** Forgets what has fired. */
    forget: () => void fired.splice(0),
    hasFired: (wanted: Wanted) => fired.some((one) => isWanted(one, wanted)),
    stop() {
      isOver = true;
      return ended;
    },
  };
}

type Wanted = readonly (readonly [label: string, value: string])[];
const isWanted = ({ labels }: FiringAlert, wanted: Wanted) => wanted.every(([name, value]) => labels[name] === value);

interface Stage {
  readonly world: World;
  readonly prometheus: Prometheus;
  readonly pages: readonly Runbook[];
  readonly watch: ReturnType<typeof watchAlerts>;
}

async function playRound(
  round: Readonly<Record<string, Scene>>,
  { world, prometheus, pages, watch }: Stage,
): Promise<readonly CheckResult[]> {
  const scenes = Object.entries(round);
  const problems = new Map<string, string[]>(scenes.map(([alert]) => [alert, []]));
  const wantedOf = (alert: string, { labels = {}, job = "gateway" }: Scene) =>
    Object.entries({ alertname: alert, job, ...labels });
  watch.forget();
  for (const [, { enter }] of scenes) await enter(world);
  const acts = scenes.map(([alert, scene]) => async () => {
    const found = problems.get(alert) ?? [];
    try {
      await waitFor("it fires", async () => watch.hasFired(wantedOf(alert, scene)));
      const page = pages.find(({ name }) => name === runbookName(alert));
      if (page === undefined) throw new Error("it has no page");
      const { output, problems: failed } = await runPage(page, { world, prometheus, scene });
      found.push(...failed);
      for (const form of scene.shows) if (!form.test(output)) found.push(`no command showed ${form}:\n${output}`);
    } catch (error) {
      found.push(String(error));
    }
  });
  await twoAtOnce(acts);
  for (const [, { leave }] of scenes) await leave(world);
  for (const [alert, scene] of scenes) {
    const isFiring = async () => (await prometheus.firing()).some((one) => isWanted(one, wantedOf(alert, scene)));
    const recovers = waitFor("it recovers", async () => !(await isFiring()));
    await recovers.catch((error: unknown) => problems.get(alert)?.push(String(error)));
  }
  return [...problems].map(([alert, found]) => resultOf(`${alert}: fires, its page, recovers`, found));
}

interface PageRun {
  readonly world: World;
  readonly prometheus: Prometheus;
  readonly scene?: Scene;
}

/** Runs the commands and queries of a page. */
async function runPage({ text }: Runbook, { world, prometheus, scene }: PageRun) {
  const { upstream = "shop", id = (one: World) => newestId(one, `incidents?upstream=${upstream}&limit=1`) } =
    scene ?? {};
  const ownId = await id(world);
  const fill = (line: string) =>
    line
      .replaceAll(/\bshop\b/g, upstream)
      .replaceAll(EXAMPLE_ID, ownId)
      .replaceAll(EXAMPLE_URL, world.upstreams[upstream].url);
  const problems: string[] = [];
  for (const [at, query] of queriesIn(text).entries()) {
    const rows = await prometheus.query(hasten(query)).catch((error: unknown) => String(error));
    if (typeof rows === "string") problems.push(`${query}: ${rows}`);
    // The first says whether it is real. Without replicas there is nothing to see, which is the answer.
    else if (at === 0 && rows.length === 0 && scene !== undefined && !scene.isSilent)
      problems.push(`its query has no result: ${query}`);
  }
  const outputs: string[] = [];
  for (const script of scriptsIn(text).filter(({ runsHere }) => runsHere)) {
    for (const { command, output, exit } of await runScript(script, world, fill)) {
      outputs.push(output);
      const known = { ...EXITS, ...scene?.exits };
      const [, expected = [0]] = Object.entries(known).find(([head]) => command.startsWith(head)) ?? [];
      if (!expected.includes(exit)) problems.push(`exit code ${exit}: ${command}\n${output}`);
    }
  }
  return { problems, output: outputs.join("\n") };
}

/** Runs the commands of a block one by one; variables that it sets hold for those after them. */
async function runScript({ commands }: Script, world: World, fill: (line: string) => string) {
  const isSetting = (line: string) => /^\w+=\S+ #/.test(line);
  const settings = commands.filter(isSetting).map(fill).join("\n");
  const ended: { readonly command: string; readonly exit: number; readonly output: string }[] = [];
  for (const command of commands.filter((line) => !isSetting(line) && !line.startsWith("#")))
    ended.push({ command, ...(await world.run(`${settings}\n${fill(command)}`)) });
  return ended;
}
