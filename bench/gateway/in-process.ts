// Everything in this process: the load, the stub, proxies, and the gateways of one or two checkouts. Variants take turns of a few
// milliseconds; what a proxy costs is the CPU of the process less that of the same calls without a proxy. The
// shorter the turns, the narrower the intervals were for the same time. Few turns collect garbage, so medians leave most of that out.
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { seededRandom } from "@recourse/test-kit/seeded-random";
import { startFromCheckout } from "./checkout.ts";
import { EnginePool } from "./engines.ts";
import { keepLogApart } from "./log-apart.ts";
import { numberRequests } from "./messages.ts";
import { type Profile, profileOf } from "./profile.ts";
import { postRequest, RawConnection } from "./raw-connection.ts";
import { SERVERS } from "./servers.ts";
import { shuffled } from "./statistics.ts";
import { BASES, type Host, type Setting, type Started, startVariant, VARIANTS, type VariantId } from "./variants.ts";

export interface InProcessOptions {
  readonly variants: readonly VariantId[];
  /** Another checkout, whose gateways are measured too. */
  readonly before: string | undefined;
  /** How long to measure, without what happens before. */
  readonly seconds: number;
  /** Calls of a turn. */
  readonly calls: number;
  readonly connections: number;
  /** The one of the variants that runs under the profiler afterwards. */
  readonly profiled?: VariantId | undefined;
}

/** One thing that is measured: a variant of this checkout, or of the other one. */
export interface Subject {
  readonly id: VariantId;
  readonly isBefore: boolean;
  /** CPU of the process in µs per call, by round. */
  readonly cpuUs: number[];
}

/** What a run saw. */
export interface InProcessRun {
  readonly subjects: readonly Subject[];
  /** Profiles of batches of the variant, and of the same calls without a proxy. */
  readonly profiles: { readonly of: Profile; readonly direct: Profile } | undefined;
}

/** Calls before a variant is measured, since the engine compiles what is called often. */
const WARM_CALLS = 6_000;
/** Calls before each turn: leases and caches may have run out, and the processor has the code of others at hand. */
const LEAD_CALLS = 32;
/** Calls of a profile, in turns. */
const PROFILED_TURNS = 200;
/** Rounds with wrong answers, after which something else is wrong. */
const MAX_DISTURBED = 20;
const AFTER_DISTURBED_MS = 1_000;
const SEED = 7;
/** Answers of 200 KB take their time. */
const LARGE_SHARE = 0.25;

/** Measures variants in turns. */
export async function runInProcess(options: InProcessOptions): Promise<InProcessRun> {
  const { before, seconds, connections, profiled } = options;
  keepLogApart();
  const engines = new EnginePool();
  const host = new OneProcess();
  const opened: Opened[] = [];
  try {
    const stub = await host.server("stub");
    const setting: Setting = { host, engines, sdk: "", stub: (name) => `http://127.0.0.1:${stub.port}/${name}` };
    for (const { id, isBefore } of subjectsOf(options)) {
      const [started] = await startVariant(VARIANTS[id], { ...setting, folder: isBefore ? before : undefined });
      opened.push(new Opened({ id, isBefore, cpuUs: [] }, started as Started, connections));
    }
    const callsOf = ({ subject }: Opened) =>
      VARIANTS[subject.id].upstream === "large" ? Math.ceil(options.calls * LARGE_SHARE) : options.calls;
    for (const one of opened) {
      const calls = (WARM_CALLS * callsOf(one)) / options.calls;
      await one.batch(calls).catch(() => sleep(AFTER_DISTURBED_MS));
    }
    const random = seededRandom(SEED);
    const endMs = performance.now() + seconds * 1_000;
    for (let disturbed = 0; performance.now() < endMs; ) {
      const turns: (() => void)[] = [];
      try {
        for (const one of shuffled(opened, random)) {
          await one.batch(LEAD_CALLS);
          turns.push(await one.measure(callsOf(one)));
        }
        for (const keep of turns) keep();
      } catch (error) {
        // On a busy machine a store may seem away for a moment; such a round says nothing.
        disturbed += 1;
        if (disturbed > MAX_DISTURBED) throw error;
        console.log(`again: ${String(error).slice(0, 300)}`);
        await sleep(AFTER_DISTURBED_MS);
      }
    }
    const subjects = opened.map(({ subject }) => subject);
    if (subjects.some(({ cpuUs }) => cpuUs.length === 0)) throw new Error("no round was undisturbed");
    if (profiled === undefined) return { subjects, profiles: undefined };
    const profile = (id: VariantId) => {
      const one = opened.find(({ subject }) => subject.id === id && !subject.isBefore) as Opened;
      const calls = callsOf(one) * PROFILED_TURNS;
      return profileOf({ name: id, calls, run: () => one.batch(calls) });
    };
    const direct = await profile(BASES[VARIANTS[profiled].upstream].direct);
    return { subjects, profiles: { of: await profile(profiled), direct } };
  } finally {
    for (const one of opened) one.close();
    await host.close();
    await engines.close();
  }
}

/** The variants, with what they are compared with before them, and each gateway of the other checkout before ours. */
function subjectsOf({ variants, before }: InProcessOptions): readonly Pick<Subject, "id" | "isBefore">[] {
  const upstreams = [...new Set(variants.map((id) => VARIANTS[id].upstream))];
  const bases = upstreams.flatMap((upstream) => [BASES[upstream].direct, BASES[upstream].piped]);
  return [...new Set<VariantId>([...bases, ...variants])].flatMap((id) => {
    const ours = { id, isBefore: false };
    return before !== undefined && VARIANTS[id].proxy.kind === "gateway" ? [{ id, isBefore: true }, ours] : [ours];
  });
}

/** A variant that runs, and its connections. */
class Opened {
  readonly subject: Subject;
  readonly #order: Started["order"];
  readonly #expected: Buffer;
  readonly #request: Buffer;
  readonly #number: (request: Buffer) => void;
  readonly #port: number;
  #connections: readonly RawConnection[];

  constructor(subject: Subject, { child, order }: Started, connections: number) {
    const { port } = child;
    this.subject = subject;
    this.#port = port;
    this.#order = order;
    this.#expected = Buffer.from(order.expected);
    this.#request = postRequest({ ...order, port });
    this.#number = numberRequests(this.#request);
    this.#connections = Array.from({ length: connections }, () => new RawConnection(port));
  }

  /** Makes this many calls, as fast as they are answered. It rejects afterwards if an answer was wrong. */
  async batch(calls: number): Promise<void> {
    // A server closes connections that were idle while others warmed up.
    this.#connections = this.#connections.map((one) => (one.isBroken ? new RawConnection(this.#port) : one));
    let left = calls;
    let wrong: Error | undefined;
    const callInTurn = async (connection: RawConnection) => {
      while (left > 0) {
        left -= 1;
        wrong = (await this.#call(connection)) ?? wrong;
      }
    };
    await Promise.all(this.#connections.map(callInTurn));
    if (wrong !== undefined) throw wrong;
  }

  /** Makes the calls of one turn. Gives what keeps its figures. */
  async measure(calls: number): Promise<() => void> {
    const from = process.cpuUsage();
    await this.batch(calls);
    const { user, system } = process.cpuUsage(from);
    return () => void this.subject.cpuUs.push((user + system) / calls);
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  /** Resolves with an error if the answer is wrong. It rejects if the connection breaks. */
  #call(connection: RawConnection): Promise<Error | undefined> {
    return new Promise((resolve, reject) => {
      const request = Buffer.from(this.#request);
      this.#number(request);
      connection.send(
        request,
        ({ status, bytes }) => {
          const isRight = status === this.#order.status && bytes.includes(this.#expected);
          if (isRight) resolve(undefined);
          else resolve(new Error(`${this.subject.id}: a wrong answer: ${bytes.toString().slice(0, 2_000)}`));
        },
        reject,
      );
    });
  }
}

/** Starts servers in this process. */
class OneProcess implements Host {
  readonly #closing: (() => unknown)[] = [];

  async server(name: keyof typeof SERVERS, target = "http://127.0.0.1") {
    const server: Server = SERVERS[name](new URL(target));
    await once(server.listen(0, "127.0.0.1"), "listening");
    return this.#running((server.address() as AddressInfo).port, () => {
      server.close();
      server.closeAllConnections();
    });
  }

  async gateway(options: Parameters<Host["gateway"]>[0]) {
    const gateway = await startFromCheckout(options);
    return this.#running(Number(gateway.url.port), () => gateway.close());
  }

  peer(): Promise<never> {
    return Promise.reject(new Error("public proxies run in processes of their own only"));
  }

  async close(): Promise<void> {
    // The proxies first: they hold connections to the stub.
    for (const close of this.#closing.toReversed()) await close();
  }

  #running(port: number, close: () => unknown) {
    this.#closing.push(close);
    return { port, cpuUs: async () => 0, close: () => {} };
  }
}
