import { Outage } from "@recourse/core/retry";
import { idle } from "../../shared/shared-store.ts";
import { type RedisClient, type RunScript, redisScript } from "../client.ts";
import type { LimitAway } from "./contract.ts";
import { LIMIT_SCRIPTS } from "./scripts.ts";

/** Options of `LimitServer`. */
interface LimitServerOptions {
  readonly client: RedisClient;
  /** How long a command may take, in ms. */
  readonly timeoutMs: number;
  readonly onSwitch: (state: "away" | "back", cause: unknown) => void;
  /** Clock, in ms, that never goes back. */
  readonly now: () => number;
}

interface PendingRequest {
  readonly askedAt: number;
  readonly key: string;
  resolve(reply: unknown): void;
}

/** The server of the buckets: it answers in time, or it counts as down for all calls until a probe reaches it again. */
export class LimitServer {
  readonly #options: LimitServerOptions;
  readonly #take: RunScript;
  readonly #giveBack: RunScript;
  /** In the order in which they were sent. */
  readonly #pending = new Set<PendingRequest>();
  #watchDueAt: number | undefined = undefined;
  readonly #outage: Outage;
  #failedKey = "";
  #away: LimitAway | undefined = undefined;

  constructor(options: LimitServerOptions) {
    this.#options = options;
    this.#take = redisScript(options.client, LIMIT_SCRIPTS.take);
    this.#giveBack = redisScript(options.client, LIMIT_SCRIPTS.giveBack);
    const probe = redisScript(options.client, LIMIT_SCRIPTS.probe);
    this.#outage = new Outage({
      // The key that failed: on a cluster, other nodes may be well.
      probe: async () => {
        if ((await this.#run(probe, [this.#failedKey], [])) === undefined) throw new Error("no answer");
      },
      onSwitch: (state, cause) => {
        this.#away = state === "away" ? { ok: false, away: true, cause } : undefined;
        options.onSwitch(state, cause);
      },
      clock: { monotonic: options.now, sleep: idle },
      random: Math.random,
    });
  }

  /** The answer to calls while the server is down. */
  get away(): LimitAway | undefined {
    return this.#away;
  }

  /** Asks for tokens. Undefined if there was no answer; then the server is down. */
  take(keys: string[], args: string[]): Promise<readonly unknown[] | undefined> {
    return this.#run(this.#take, keys, args) as Promise<readonly unknown[] | undefined>;
  }

  /** Gives tokens back, without waiting for it. */
  giveBack(keys: string[], args: string[]): void {
    void this.#run(this.#giveBack, keys, args);
  }

  /** Waits for commands under way. From now on the server counts as away. */
  async close(): Promise<void> {
    this.#outage.close();
    this.#away = { ok: false, away: true, cause: new Error("the limits are closed") };
    while (this.#pending.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  #run(script: RunScript, keys: string[], args: string[]): Promise<unknown> {
    return new Promise((resolve) => {
      const pending: PendingRequest = { askedAt: this.#options.now(), key: keys[0] ?? "", resolve };
      this.#pending.add(pending);
      if (this.#watchDueAt === undefined) this.#watch();
      script(keys, args).then(
        (reply) => {
          if (this.#pending.delete(pending)) resolve(reply);
        },
        (cause: unknown) => this.#fail(pending, cause),
      );
    });
  }

  /** One timer for all commands, since a timer for each would cost more than the rest of it. */
  #watch(): void {
    const { now, timeoutMs } = this.#options;
    const everyMs = timeoutMs / 4;
    this.#watchDueAt = now() + everyMs;
    setTimeout(() => {
      // A process that was stopped or busy reads its answers first.
      const isLate = now() - (this.#watchDueAt ?? 0) > everyMs;
      if (!isLate) this.#endLate();
      this.#watchDueAt = undefined;
      if (this.#pending.size > 0) this.#watch();
    }, everyMs).unref();
  }

  #endLate(): void {
    const { now, timeoutMs } = this.#options;
    const latest = now() - timeoutMs;
    for (const pending of this.#pending) {
      if (pending.askedAt > latest) return;
      this.#fail(pending, new Error(`Redis did not answer within ${timeoutMs} ms`));
    }
  }

  #fail(pending: PendingRequest, cause: unknown): void {
    if (!this.#pending.delete(pending)) return;
    if (!this.#outage.isDown) this.#failedKey = pending.key;
    this.#outage.failed(cause);
    pending.resolve(undefined);
  }
}

/** So many keys are looked up, to meet most nodes of a cluster. */
const CHECKED_KEYS = 16;

/** Looks whether the nodes are set up so that limits hold. Gives a sentence for each thing that is not. */
export async function checkServer(client: RedisClient, prefix: string): Promise<readonly string[]> {
  const run = redisScript(client, LIMIT_SCRIPTS.policy);
  const warnings = new Set<string>();
  const keys = Array.from({ length: CHECKED_KEYS }, (_, index) => `${prefix}{check-${index}}`);
  await Promise.all(
    keys.map(async (key) => {
      try {
        const reply = await run([key], []);
        const policy = reply instanceof Uint8Array ? new TextDecoder().decode(reply) : String(reply);
        if (policy === "noeviction") return;
        warnings.add(
          `Redis has maxmemory-policy ${policy}: a bucket that is evicted comes back full. Use noeviction for limits.`,
        );
      } catch (cause) {
        warnings.add(describeProblem(cause));
      }
    }),
  );
  return [...warnings];
}

function describeProblem(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  if (/NOPERM|permission|can't run this command/i.test(text)) {
    return "The user of Redis may not run INFO in scripts, so that no new bucket can be made. Grant it with +info.";
  }
  return `Redis could not be checked: ${text}`;
}
