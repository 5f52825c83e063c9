// What both servers are about: products with GTINs, a database that can be away, and a limit of calls.

export const PRINTED = "00614141123452";
export const OATS = "09520123456788";

/** A database that fails with this while it is away, as drivers do. */
const OUTAGE = "connect ECONNREFUSED postgres://app:hunter2@10.0.0.5:5432/products";

export interface Catalogue {
  /** The address that a GTIN leads to. */
  resolve(gtin: string): Promise<string | undefined>;
  /** Takes one call of the caller's share. Returns the seconds to wait where it is used up. */
  takeCall(): number | undefined;
}

export interface CatalogueOptions {
  /** @default false */
  readonly isAway?: boolean;
  /** @default no limit */
  readonly calls?: number;
}

export function openCatalogue({ isAway = false, calls = Number.POSITIVE_INFINITY }: CatalogueOptions = {}): Catalogue {
  let left = calls;
  return {
    async resolve(gtin) {
      if (isAway) throw new Error(OUTAGE);
      return gtin === OATS ? "https://products.example.com/oats" : undefined;
    },
    takeCall: () => (--left < 0 ? 30 : undefined),
  };
}

/** Whether a value is fourteen digits that end with their check digit. */
export function isGtin(value: unknown): value is string {
  if (typeof value !== "string" || !/^\d{14}$/.test(value)) return false;
  const sum = [...value].reduce((all, digit, at) => all + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return sum % 10 === 0;
}
