import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { callOf } from "./attacks.ts";

/** What came of the calls of honest callers in one round. */
export interface Round {
  /** Times of the calls that were served, in ms. */
  readonly ms: readonly number[];
  /** The answers of those that were not, shortened. */
  readonly refused: readonly string[];
}

/** How a round is called. */
export interface RoundOptions {
  readonly url: string;
  readonly keys: readonly string[];
  /** Calls of each caller in a second. */
  readonly perSecond: number;
  readonly seconds: number;
}

/** Callers that call at their own pace, each with connections of its own. */
export class Honest {
  readonly #agents = new Map<string, Agent>();
  readonly #sent = callOf("main__ok", { args: { city: "Berlin" }, call: { deadlineMs: 5_000 } });

  async round({ url, keys, perSecond, seconds }: RoundOptions): Promise<Round> {
    const ms: number[] = [];
    const refused: string[] = [];
    const call = async (key: string) => {
      const startMs = performance.now();
      const { statusCode, body } = await request(url, {
        method: "POST",
        headers: { ...this.#sent.headers, authorization: `Bearer ${key}` },
        body: this.#sent.body,
        dispatcher: this.#agentOf(key),
      });
      const text = await body.text();
      if (statusCode === 200 && text.includes("fine fine")) ms.push(performance.now() - startMs);
      else refused.push(text.slice(0, 300));
    };
    await Promise.all(
      keys.map(async (key, at) => {
        const pending: Promise<void>[] = [];
        const pauseMs = 1_000 / perSecond;
        const startMs = performance.now() + (at / keys.length) * pauseMs;
        for (let n = 0; n < seconds * perSecond; n++) {
          await sleep(Math.max(0, startMs + n * pauseMs - performance.now()));
          pending.push(call(key).catch((error: unknown) => void refused.push(String(error))));
        }
        await Promise.all(pending);
      }),
    );
    return { ms, refused };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
  }

  #agentOf(key: string): Agent {
    const known = this.#agents.get(key) ?? new Agent({ connections: 32, pipelining: 1 });
    this.#agents.set(key, known);
    return known;
  }
}
