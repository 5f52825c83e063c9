// Probes the shop with one defect, or without any.
import { fileURLToPath } from "node:url";
import { type GatherOptions, gather } from "../../src/gather/gather.ts";
import { judgeRecording } from "../../src/judge/judge.ts";
import type { EraRevision, Recording, StimulusName } from "../../src/recording/recording.ts";
import type { CheckState, Report } from "../../src/report/report.ts";
import type { TargetSpec } from "../../src/wire/limits.ts";
import { COMPILE_CACHE } from "../support/compile-cache.ts";
import { startInside, withoutWaiting } from "../support/inner-program.ts";
import { PATIENT } from "../support/patient.ts";
import { GIVEN_KEY, TOKEN } from "./defect.ts";
import { EVERY_DEFECT } from "./defects/index.ts";
import { startBadServer } from "./http.ts";
import { serveShop } from "./stdio.ts";
import { ProbeClock } from "./waiting.ts";

/** How the shop is probed. */
export interface ShopProbe {
  readonly transport: "http" | "stdio";
  /** The name of the defect. @default none */
  readonly defect?: string;
  /** Whether it wants a token. @default as the defect says */
  readonly auth?: boolean;
  /** @default both */
  readonly eras?: readonly EraRevision[];
  /** Send these groups and no others. @default all */
  readonly only?: readonly StimulusName[] | undefined;
  /** Start the program as a process. @default as the defect says */
  readonly ownProcess?: boolean;
}

interface ProbedShop {
  readonly recording: Recording;
  readonly report: Report;
}

/** Probes the shop, judges it, and stops it. */
export function probeShop(options: ShopProbe): Promise<ProbedShop> {
  if (options.transport === "http") return probeHttp(options);
  const { ownProcess = defectOf(options)?.ownProcess ?? false } = options;
  return ownProcess ? probeProcess(options) : withoutWaiting(() => probeProgram(options));
}

function defectOf({ defect }: ShopProbe) {
  return defect === undefined ? undefined : EVERY_DEFECT[defect];
}

async function probeHttp(options: ShopProbe): Promise<ProbedShop> {
  const defect = defectOf(options);
  const auth = options.auth ?? defect?.auth ?? false;
  using clock = new ProbeClock();
  const server = await startBadServer({ auth, clock, ...(defect !== undefined && { defect }) });
  const headers = {
    ...(auth && { authorization: `Bearer ${TOKEN}` }),
    ...(defect?.key === true && { "x-api-key": GIVEN_KEY }),
  };
  try {
    return await probe({ transport: "http", url: server.url.href }, { ...usual(options), headers });
  } finally {
    await server.close();
  }
}

/** Probes the shop as a program in this process. */
function probeProgram(options: ShopProbe): Promise<ProbedShop> {
  const defect = defectOf(options);
  const start = startInside((program) => serveShop(defect, program));
  return probe({ transport: "stdio", command: "node", args: [] }, { ...usual(options), start, env: keyOf(options) });
}

/** Probes the shop as a process of its own. */
async function probeProcess(options: ShopProbe): Promise<ProbedShop> {
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  const { defect } = options;
  const args = [
    "--conditions=@recourse/source",
    main,
    "--stdio",
    ...(defect === undefined ? [] : ["--defect", defect]),
  ];
  const waits = { ...PATIENT.waits, ...defectOf(options)?.waits };
  const probed = await probe(
    { transport: "stdio", command: process.execPath, args },
    { ...usual(options), ...PATIENT, env: { ...COMPILE_CACHE, ...keyOf(options) }, waits },
  );
  for (const { pid, ended } of probed.recording.eras.flatMap(({ leftBehind = [] }) => leftBehind))
    if (!ended) process.kill(pid);
  return probed;
}

function keyOf(options: ShopProbe): Readonly<Record<string, string>> {
  return defectOf(options)?.key === true ? { SHOP_API_KEY: GIVEN_KEY } : {};
}

function usual({ eras, only }: ShopProbe): GatherOptions {
  return { allowPrompts: true, eras, only, signal: new AbortController().signal, now: Date.now };
}

async function probe(target: TargetSpec, options: GatherOptions): Promise<ProbedShop> {
  const gathered = await gather(target, options);
  if (!gathered.ok) throw new Error(`${gathered.failure.message}\n${gathered.failure.detail}`);
  return { recording: gathered.recording, report: judgeRecording(gathered.recording) };
}

const NOT_FOUND: readonly string[] = ["pass", "skipped", "untested"] satisfies readonly CheckState[];

/** The ids of everything that was found, consequences and previews too. */
export function findingsOf({ checks }: Report): readonly string[] {
  return checks.filter(({ state }) => !NOT_FOUND.includes(state)).map(({ id }) => id);
}
