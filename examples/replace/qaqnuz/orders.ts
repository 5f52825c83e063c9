// What the shop does. Both servers call it; it knows nothing of MCP.

/** A shop with two orders, a warehouse that cannot be reached, and an export that is limited. */
export interface Shop {
  readonly orders: Map<string, "open" | "shipped">;
  /** Asks the warehouse over HTTP. */
  askWarehouse(): Promise<string>;
  /** Milliseconds until the next export is allowed; 0 if it is allowed now. */
  exportWaitMs(): number;
  /** A function with a bug. */
  report(): string;
}

/** Opens the shop. The first exports come too early. */
export function openShop({ earlyExports = 1 } = {}): Shop {
  let early = earlyExports;
  return {
    orders: new Map([
      ["A-7", "open"],
      ["A-8", "shipped"],
    ]),
    async askWarehouse() {
      // Nothing listens on this port.
      const response = await fetch("http://127.0.0.1:29150/stock");
      return response.text();
    },
    exportWaitMs: () => (early-- > 0 ? 50 : 0),
    report() {
      throw new Error('relation "tenant_5e0b.orders" is missing on db-eu-3 (customer Ada Lovelace, token qz_int_99x)');
    },
  };
}
