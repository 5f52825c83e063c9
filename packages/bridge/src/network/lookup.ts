import { lookup as systemLookup } from "node:dns/promises";
import { isIPv4, type LookupFunction } from "node:net";
import type { AddressCheck } from "./addresses.ts";

/** Finds all addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** A name leads to an address that may not be reached; which one is nobody's business. */
export class RefusedAddress extends Error {
  override readonly name = "RefusedAddress";

  constructor() {
    super("the host has an address that is not allowed");
  }
}

/** Asks the system, as every program does. */
export async function resolveBySystem(hostname: string): Promise<readonly string[]> {
  const found = await systemLookup(hostname, { all: true });
  return found.map(({ address }) => address);
}

/**
 * The look-up for connections. The addresses that were checked are the ones that are connected to: there is no second
 * resolution in between, which a name server could answer differently. One address that is not allowed refuses them all.
 */
export function checkedLookup(resolve: Resolve, isAllowed: AddressCheck): LookupFunction {
  return (hostname, options, done) => {
    const answer = async (): Promise<readonly { readonly address: string; readonly family: number }[]> => {
      const addresses = await resolve(hostname);
      if (addresses.length === 0 || !addresses.every(isAllowed)) throw new RefusedAddress();
      return addresses.map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }));
    };
    answer().then(
      (found) => {
        const [first] = found;
        if (options.all === true) done(null, [...found]);
        else done(null, first?.address ?? "", first?.family);
      },
      (error: unknown) => done(error as NodeJS.ErrnoException, ""),
    );
  };
}
