import { createTestEnvironment as startCrm } from "@recourse/reference-crm/test-environment";
import { createTestEnvironment as startGtin } from "@recourse/reference-gtin/test-environment";
import { createTestEnvironment as startOrders } from "@recourse/reference-orders/test-environment";
import { FAILURES as CRM } from "../../../reference/crm/test/failures/failures.ts";
import { observe as observeCrm } from "../../../reference/crm/test/support/observers.ts";
import { FAILURES as GTIN } from "../../../reference/gtin/test/failures/failures.ts";
import { observe as observeGtin } from "../../../reference/gtin/test/support/observers.ts";
import { FAILURES as ORDERS } from "../../../reference/orders/test/failures/failures.ts";
import { observe as observeOrders } from "../../../reference/orders/test/support/observers.ts";
import { withoutIds } from "../fixed.ts";
import { group, type InGroup } from "../situation.ts";

interface Message {
  readonly result?: { readonly content?: readonly { readonly text?: string }[] };
  readonly error?: { readonly message: string };
}

const textOf = ({ result, error }: Message): string =>
  withoutIds(error?.message ?? (result?.content ?? []).map(({ text }) => text ?? "").join("\n"));

interface Closes {
  close(): Promise<void>;
}

/** Starts what it makes with its first use; the last use of the page closes it. */
function shared<T extends Closes>(start: () => Promise<T>) {
  let running: Promise<T> | undefined;
  return {
    get: () => (running ??= start()),
    close: async () => {
      const one = await running;
      running = undefined;
      await one?.close();
    },
  };
}

const gtin = shared(() => startGtin());
const crm = shared(() => startCrm(() => "req-1"));
const orders = shared(() => startOrders());

/** Stops the servers that were started. */
export async function stopReferenceServers(): Promise<void> {
  for (const one of [gtin, crm, orders]) await one.close();
}

function named<F extends { readonly cause: string; readonly tool: string }>(all: readonly F[], cause: string): F {
  const found = all.find((one) => one.cause === cause);
  if (found === undefined) throw new Error(`no failure: ${cause}`);
  return found;
}

async function ofGtin(cause: string): Promise<string> {
  const { tool, args, token, arrange } = named(GTIN, cause);
  const environment = await gtin.get();
  const call = { tool, args, token: await token?.(environment) };
  const undo = await arrange?.(environment);
  try {
    return textOf((await observeGtin("v2 modern", environment.url, call)).message as Message);
  } finally {
    await undo?.();
  }
}

async function ofCrm(cause: string): Promise<string> {
  const { tool, args, authorization, arrange } = named(CRM, cause);
  const environment = await crm.get();
  const undo = await arrange?.(environment);
  try {
    const { message } = await observeCrm("v2 modern", environment.mcp, { tool, args, authorization });
    return textOf(message as Message);
  } finally {
    await undo?.();
  }
}

async function ofOrders(cause: string, adapter: "postgres" | "rest"): Promise<string> {
  const { tool, args, arrange } = named(ORDERS, cause);
  const environment = await orders.get();
  const undo = await arrange?.(environment);
  try {
    return textOf((await observeOrders("v2 modern", environment.server.url, { adapter, tool, args })) as Message);
  } finally {
    await undo?.();
  }
}

const GTIN_CAUSES = {
  "gtin-no-token": "no token",
  "gtin-scope": "a token without qr:generate",
  "gtin-limit": "the share of calls is used up",
  "gtin-check-digit": "a wrong check digit",
  "gtin-type": "a number instead of a string",
  "gtin-missing": "no such product",
  "gtin-link-type": "no link of the type asked for",
  "gtin-outage": "the database is away",
  "gtin-bug": "a bug: a column that the statement names is gone",
} as const;

const CRM_CAUSES = {
  "crm-dates": "a campaign that ends before it starts",
  "crm-workspace": "a key of two workspaces, and none named",
  "crm-key": "an expired key",
  "crm-reader": "a key that may only read",
  "crm-missing": "no such client",
  "crm-launched": "launched before",
  "crm-limit": "the share of the key is used up",
  "crm-arguments": "arguments that the schema of the tool refuses",
} as const;

const ORDERS_CAUSES = {
  "orders-quantity": ["a quantity of 0", "postgres"],
  "orders-email": ["no e-mail address", "postgres"],
  "orders-postcode": ["no postcode, for a country that has them", "rest"],
  "orders-missing": ["no such order", "postgres"],
  "orders-shipped": ["the order is shipped already", "rest"],
  "orders-stock": ["more than there are", "postgres"],
  "orders-outage": ["the database is away", "postgres"],
  "orders-bug": ["a column that a writing statement names is gone", "rest"],
  "orders-carrier": ["no carrier is connected", "postgres"],
} as const;

const rows = (causes: Readonly<Record<string, string>>, server: string, run: (cause: string) => Promise<string>) =>
  Object.entries(causes).map(([id, cause]): InGroup => ({ id, what: `${server}: ${cause}`, run: () => run(cause) }));

export const REFERENCE = group("reference", [
  ...rows(GTIN_CAUSES, "gtin", ofGtin),
  ...rows(CRM_CAUSES, "crm", ofCrm),
  ...Object.entries(ORDERS_CAUSES).map(
    ([id, [cause, adapter]]): InGroup => ({ id, what: `orders: ${cause}`, run: () => ofOrders(cause, adapter) }),
  ),
]);
