/** Stands for the backend of a shop. Some calls fail, in the ways in which backends fail. */
export class Shop {
  /** How many orders were placed. */
  placed = 0;

  /** Reads an order. ORD-5 is on a machine that is switched off. */
  async find(id: string): Promise<{ readonly id: string; readonly status: string } | undefined> {
    if (id === "ORD-5") throw refused();
    return id === "ORD-1" ? { id, status: "open" } : undefined;
  }

  /**
   * Places an order. The reply about a SOFA is lost after the order was placed; a LAMP breaks a constraint; TABLEs are kept on a
   * machine that is switched off.
   */
  async place(sku: string): Promise<string | undefined> {
    if (sku === "CHAIR") return undefined;
    if (sku === "TABLE") throw refused();
    if (sku === "LAMP")
      throw new Error('new row for relation "stock" violates check "amount >= 0", host db-7.internal');
    this.placed++;
    if (sku === "SOFA") throw new DOMException("The operation was aborted due to timeout", "TimeoutError");
    return `ORD-${this.placed + 1}`;
  }
}

function refused(): Error {
  return Object.assign(new Error("connect ECONNREFUSED 10.0.0.5:5432"), { code: "ECONNREFUSED" });
}
