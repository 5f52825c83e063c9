// Each variant in a process of its own, and so are the load and the upstreams. They take turns in rounds.
import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@recourse/test-kit/network";
import { seededRandom } from "@recourse/test-kit/seeded-random";
import { answerOf, type Child, forkBench, leaveMeasuredCore, startChild } from "./child.ts";
import { EnginePool } from "./engines.ts";
import { type Round, type RoundOptions, round } from "./measure.ts";
import { shuffled } from "./statistics.ts";
import { type Host, type Setting, type Started, startVariant, VARIANTS, type VariantId } from "./variants.ts";

/** One thing that is measured: a variant of this checkout or of the other one, or replicas of it. */
export interface Subject {
  readonly id: VariantId;
  /** @default false */
  readonly isBefore?: boolean;
  /** @default 1 */
  readonly replicas?: number;
}

/** The rounds of a subject, in the order in which they were made. */
export interface Measured extends Subject {
  readonly rounds: readonly Round[];
}

export interface SeparateOptions {
  /** Another checkout, whose gateways are measured too. */
  readonly before: string | undefined;
  /** Flags of Node for the gateways. */
  readonly flags: readonly string[];
  /** How long a variant runs before its first turn, since the engine compiles what is called often. */
  readonly warmSeconds: number;
}

/** What the turns of a part are like; `seconds` is how long one takes. */
export interface TurnOptions extends RoundOptions {
  readonly rounds: number;
}

/** Before each turn: leases and caches may have run out while others had theirs. */
const LEAD_SECONDS = 0.01;
/** How often a turn with wrong answers is made again: on a busy machine a store may seem away. */
const TRIES = 5;
const WARM_CONNECTIONS = 16;
const SEED = 7;

/** Processes that can be measured in turns. */
export class SeparateProcesses {
  readonly #options: SeparateOptions;
  readonly #engines = new EnginePool();
  readonly #children: Pick<Child, "close">[] = [];
  readonly #opened = new Map<string, readonly Started[]>();
  readonly #load: ChildProcess;
  readonly #setting: Setting;

  private constructor(options: SeparateOptions, load: ChildProcess, addresses: Pick<Setting, "stub" | "sdk">) {
    this.#options = options;
    this.#load = load;
    const started = async (child: Promise<Child>) => {
      this.#children.push(await child);
      return await child;
    };
    const host: Host = {
      server: (name, target) => started(startChild({ file: "serve.ts", args: [name, target], isMeasured: true })),
      gateway: (gateway) => {
        const { flags } = options;
        const place = gateway.folder === undefined ? {} : { cwd: gateway.folder };
        const args = [JSON.stringify(gateway)];
        return started(startChild({ file: "gateway.ts", args, flags, ...place, isMeasured: true }));
      },
      peer: async (file, target, cwd) =>
        await started(
          startChild({ file: `${cwd}/${file}`, args: [target, String(await freePort())], cwd, isMeasured: true }),
        ),
    };
    this.#setting = { host, engines: this.#engines, ...addresses };
  }

  /** Starts the load and the upstreams. */
  static async open(options: SeparateOptions): Promise<SeparateProcesses> {
    leaveMeasuredCore();
    const stub = await startChild({ file: "serve.ts", args: ["stub"] });
    const sdk = await startChild({ file: "sdk-upstream.ts", args: [] });
    const load = forkBench({ file: "load.ts", args: [] });
    await answerOf(load, "the load");
    const processes = new SeparateProcesses(options, load, {
      stub: (name) => `http://127.0.0.1:${stub.port}/${name}`,
      sdk: `http://127.0.0.1:${sdk.port}/mcp`,
    });
    processes.#children.push(stub, sdk);
    return processes;
  }

  /** Rounds of all in turn. */
  async inTurns(subjects: readonly Subject[], { rounds, ...load }: TurnOptions): Promise<readonly Measured[]> {
    const all: { readonly subject: Subject; readonly of: readonly Started[]; readonly seen: Round[] }[] = [];
    for (const subject of subjects) all.push({ subject, of: await this.#open(subject), seen: [] });
    const random = seededRandom(SEED);
    for (let turn = 0; turn < rounds; turn++) {
      for (const { of, seen } of shuffled(all, random)) {
        await this.#undisturbed(of, { ...load, seconds: LEAD_SECONDS });
        seen.push(await this.#undisturbed(of, load));
      }
    }
    return all.map(({ subject, seen }) => ({ ...subject, rounds: seen }));
  }

  async close(): Promise<void> {
    for (const child of this.#children) child.close();
    this.#load.kill("SIGKILL");
    await this.#engines.close();
  }

  /** Starts what does not run yet. */
  async #open({ id, isBefore = false, replicas = 1 }: Subject): Promise<readonly Started[]> {
    const key = `${id} ${isBefore} ${replicas}`;
    const known = this.#opened.get(key);
    if (known !== undefined) return known;
    const folder = isBefore ? this.#options.before : undefined;
    const started = await startVariant(VARIANTS[id], { ...this.#setting, folder }, replicas);
    this.#opened.set(key, started);
    await this.#undisturbed(started, { connections: WARM_CONNECTIONS, seconds: this.#options.warmSeconds });
    return started;
  }

  async #undisturbed(of: readonly Started[], options: RoundOptions): Promise<Round> {
    for (let left = TRIES - 1; left > 0; left--) {
      try {
        return await round(this.#load, of, options);
      } catch (error) {
        console.error(`again: ${String(error).slice(0, 300)}`);
        await sleep(1_000);
      }
    }
    return await round(this.#load, of, options);
  }
}
