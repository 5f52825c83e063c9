// Stands for a backend that one talks to over a network.

/** A warehouse with one order and two lamps. */
export interface Warehouse {
  ping(signal: AbortSignal): Promise<void>;
  find(order: string, signal: AbortSignal): Promise<string | undefined>;
  order(article: string, quantity: number, key: string | undefined): Promise<{ left: number; order?: string }>;
  end(): void;
}

/** Opens the warehouse; it breaks where a real one might. */
export async function openWarehouse(url: string, signal: AbortSignal): Promise<Warehouse> {
  signal.throwIfAborted();
  if (url.includes("down")) throw new Error(`connect ECONNREFUSED ${url}`);
  return {
    ping: async () => {},
    find: async (order) => (order === "7" ? "shipped" : undefined),
    order: async (article, quantity) => {
      if (article !== "lamp") throw new Error(`select * from stock where article = '${article}' -- failed at ${url}`);
      return quantity > 2 ? { left: 2 } : { left: 2 - quantity, order: "8" };
    },
    end: () => {},
  };
}
