import { isDataError } from "./pool.ts";

/** Options of `createBatches`. */
export interface BatchOptions<Item, Result> {
  /** Does the work of all items in one statement. If it rejects because PostgreSQL refused it, nothing has changed. */
  readonly send: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** How many characters an item has that have no fixed length. @default 0 */
  readonly lengthOf?: (item: Item) => number;
  /** The most items of one statement. */
  readonly maxItems: number;
  /** The most statements under way; others wait, and go out together. @default 2 */
  readonly maxUnderWay?: number;
  /** Calls a function after all input that has already arrived was read. @default setImmediate */
  readonly later?: (work: () => void) => void;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (cause: unknown) => void;
}

/** A statement is not made longer than this by its items, so that a short one does not wait for many long ones. */
const MAX_LENGTH = 128 * 1_024;

/**
 * Sends what is asked at the same time as one statement: what came in one turn of the event loop, and what came while
 * others were under way. Nothing waits for more to come. Each item has its own result; a statement that PostgreSQL refuses
 * for its data, or because another was faster, is sent again item by item, so that none fails for another.
 */
export function createBatches<Item, Result>(options: BatchOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { send, lengthOf = () => 0, maxItems, maxUnderWay = 2, later = setImmediate } = options;
  const waiting: Waiting<Item, Result>[] = [];
  let underWay = 0;
  let isScheduled = false;

  const sendAll = async (batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await send(batch.map(({ item }) => item));
      for (const [at, { resolve }] of batch.entries()) resolve(results[at] as Result);
    } catch (cause) {
      if (batch.length > 1 && mayPassAlone(cause)) await Promise.all(batch.map((one) => sendAll([one])));
      else for (const { reject } of batch) reject(cause);
    }
  };

  const flush = () => {
    isScheduled = false;
    while (waiting.length > 0 && underWay < maxUnderWay) {
      const batch = waiting.splice(0, countThatFit(waiting, lengthOf, maxItems));
      underWay += 1;
      void sendAll(batch).then(() => {
        underWay -= 1;
        schedule();
      });
    }
  };
  const schedule = () => {
    if (isScheduled || waiting.length === 0 || underWay >= maxUnderWay) return;
    isScheduled = true;
    later(flush);
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
}

/** How many of the first ones go out together; at least one. */
function countThatFit<Item>(
  waiting: readonly { readonly item: Item }[],
  lengthOf: (item: Item) => number,
  maxItems: number,
): number {
  let length = 0;
  let count = 0;
  for (const { item } of waiting) {
    length += lengthOf(item);
    if (count === maxItems || (count > 0 && length > MAX_LENGTH)) break;
    count += 1;
  }
  return count;
}

/** The class of SQLSTATE of a transaction that was rolled back, since another was faster or held what it needed. */
const ROLLED_BACK_CLASS = /^40[0-9A-Z]{3}$/;

/** Whether a statement has changed nothing, and its items may pass if each is sent alone. */
function mayPassAlone(cause: unknown): boolean {
  const code = (cause as { readonly code?: unknown } | null | undefined)?.code;
  return isDataError(cause) || (typeof code === "string" && ROLLED_BACK_CLASS.test(code));
}
