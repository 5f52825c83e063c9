import { DEFAULT_REQUEST_TIMEOUT_MSEC } from "@modelcontextprotocol/client";
import { type Payment, playPayment } from "./payment.ts";
import { type Got, openShop, PASSWORD, type Shop } from "./shop.ts";

/** Two answers to the same call. */
interface Pair {
  readonly bare: Got;
  readonly guarded: Got;
}

/** The scenes of the demo. Each plays when it is called. */
export interface Scenes {
  leak(): Promise<Pair>;
  unsendable(): Promise<Pair>;
  payment(): Promise<{ readonly without: Payment; readonly with: Payment }>;
  readonly facts: SceneFacts;
  close(): Promise<void>;
}

/** What the narrator has to know. */
export interface SceneFacts {
  /** The password that the failing tool uses. */
  readonly password: string;
  /** How long the demo waits for an answer that does not come. */
  readonly waitMs: number;
  /** How long the official client waits by itself. */
  readonly clientWaitMs: number;
}

const FACTS: SceneFacts = { password: PASSWORD, waitMs: 2_000, clientWaitMs: DEFAULT_REQUEST_TIMEOUT_MSEC };

/** Opens both shops. */
export async function openScenes(given: { readonly now: () => number; readonly signal: AbortSignal }): Promise<Scenes> {
  const bare = await openShop("bare", given);
  const guarded = await openShop("guarded", given).catch(async (thrown: unknown) => {
    await bare.close();
    throw thrown;
  });
  const both = async (call: (shop: Shop) => Promise<Got>): Promise<Pair> => ({
    bare: await call(bare),
    guarded: await call(guarded),
  });
  return {
    facts: FACTS,
    leak: () => both((shop) => shop.call("sales_report", { waitMs: FACTS.clientWaitMs })),
    unsendable: () => both((shop) => shop.call("count_orders", { waitMs: FACTS.waitMs })),
    payment: async () => ({
      without: await playPayment("without Recourse", given.signal),
      with: await playPayment("with Recourse", given.signal),
    }),
    async close() {
      await bare.close();
      await guarded.close();
    },
  };
}
