// No history lets a call through that nobody approved, or uses an approval up for a call that was not attempted.

import { isNightly, runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApprovalRequest } from "../../src/call/binding.ts";
import {
  type Bench,
  type Counts,
  type Facts,
  type History,
  histories,
  type Operation,
  runHistory,
  sameCall,
} from "./run-model.ts";
import { type ReplicaOptions, type Replicas, requestOf, startReplicas } from "./support.ts";

const STEPS = isNightly ? 30 : 15;
let runCount = 0;

function requestFor({ caller, args, policy }: Facts, run: number): ApprovalRequest {
  return requestOf({ caller: `${run}-${caller}`, arguments: `[${args}]`, expiresMs: 900_000 + policy });
}

/** The replicas of all tests: a run has callers of its own. */
let replicas: Replicas;
beforeAll(async () => {
  replicas = await startReplicas();
}, 120_000);
afterAll(() => replicas?.close());

interface Mistake extends ReplicaOptions {
  readonly request?: Bench["request"];
  /** A history that shows it, where a search takes long. The nightly check searches. */
  readonly known?: History;
}

function benchWith({ request = requestFor, mutate }: Mistake = {}): Bench {
  const [pool] = replicas.pools;
  const stores = replicas.storesWith({ mutate });
  return {
    stores,
    request,
    async expire(id) {
      // The statement reads the clock before the row: others must see it as over at once.
      const text =
        "update gateway_approval set expires = least(expires, clock_timestamp() - interval '1 ms') where id = $1";
      await pool.query(text, [id]);
    },
    async consumed(run) {
      const text = "select id from gateway_approval where caller like $1 and state = 'consumed'";
      const { rows } = await pool.query<{ readonly id: string }>(text, [`%"${run}-%`]);
      return rows.map(({ id }) => id);
    },
  };
}

const newCounts = (): Counts => ({ operations: 0, asked: 0, passed: 0, sent: 0, givenBack: 0, deaths: 0 });

describe("two replicas on one database", () => {
  it("answer as the model does, and let through what was approved, once", { timeout: 3_600_000 }, async () => {
    const counts = newCounts();
    const numRuns = runs(100);
    const bench = benchWith();
    const property = fc.asyncProperty(histories(STEPS), (history) => runHistory(history, bench, ++runCount, counts));
    await fc.assert(property, { numRuns });
    if (process.env["RECOURSE_REPORT"] !== undefined) console.log(JSON.stringify({ numRuns, ...counts }));
    // The histories reach what they are about.
    expect(counts.sent).toBeGreaterThan(0);
    expect(counts.deaths).toBeGreaterThan(0);
    expect(counts.givenBack).toBeGreaterThan(0);
  });
});

/** One step: something happens to the newest approval, or to the only call under way. */
const step = (what: Exclude<Operation["do"], "call" | "replay">): Operation[] => [{ do: what, replica: 0, pick: 0 }];
const CALL = [sameCall(0)];
const LET_THROUGH: History = [CALL, step("approve"), CALL];
const together = [sameCall(0), sameCall(1), sameCall(0), sameCall(1)];
/** Calls at the same time want one approval, many times, as it is chance who sees what. */
const RACES: History = Array.from({ length: 20 }, () => [CALL, step("approve"), together, step("send")]).flat();
const callOf = (facts: Partial<Facts>): Operation[] => {
  return [{ do: "call", replica: 1, facts: { caller: 0, args: 0, policy: 0, ...facts } }];
};

/** Mistakes that the model has to find. Each changes a statement, or what a request is bound to. */
const MISTAKES: Readonly<Record<string, Mistake>> = {
  "two calls read one approval": { mutate: (text) => text.replace("for update of a", ""), known: RACES },
  "an approval is not used up": { mutate: (text) => text.replace("set state = 'consumed', call", "set call") },
  "a pending one counts": {
    mutate: (text) =>
      text.replace("state = 'approved' and expires > clock", "state in ('approved', 'pending') and expires > clock"),
  },
  "a denied one counts": {
    mutate: (text) =>
      text
        .replace("state = 'approved' and expires > clock", "state in ('approved', 'denied') and expires > clock")
        .replace("d.state = 'denied'", "false"),
  },
  "an expired one counts": {
    mutate: (text) => text.replace("state = 'approved' and expires > clock_timestamp()", "state = 'approved'"),
    known: [CALL, step("approve"), step("expire"), CALL],
  },
  "a denial does not win": {
    mutate: (text) => text.replace("d.state = 'denied'", "false"),
    known: [...LET_THROUGH, CALL, step("deny"), step("giveBack"), CALL],
  },
  "a denial is asked again": {
    mutate: (text) =>
      text
        .replace("state in ('pending', 'denied') and expires <= clock_timestamp()", "state in ('pending', 'denied')")
        .replace(
          "expires > clock_timestamp() as is_live",
          "expires > clock_timestamp() and state <> 'denied' as is_live",
        ),
  },
  "any call gives back": {
    mutate: (text) => text.replace("id = $2 and call = $1", "id = $2 and $1::text is not null"),
  },
  "an expired one is given back": {
    mutate: (text) =>
      text
        .replace("state = 'consumed' and expires > clock_timestamp()", "state = 'consumed'")
        .replace(
          "set state = 'approved', call = null",
          "set state = 'approved', call = null, expires = clock_timestamp() + interval '1 h'",
        ),
    known: [...LET_THROUGH, step("expire"), step("giveBack"), CALL],
  },
  "nothing is given back": {
    mutate: (text) => text.replace("set state = 'approved', call = null", "set state = state"),
  },
  "a decision is changed later": {
    mutate: (text) => text.replace("where id = $1 and state = 'pending'", "where id = $1 and state <> 'consumed'"),
  },
  "a used one is decided again": {
    mutate: (text) => text.replace("where id = $1 and state = 'pending'", "where id = $1 and state <> 'denied'"),
  },
  "an expired one is decided": {
    mutate: (text) =>
      text.replace("state = 'pending' and expires > clock_timestamp()\n  returning", "state = 'pending'\n  returning"),
    known: [CALL, step("expire"), step("approve")],
  },
  "arguments are not bound": {
    request: (facts, run) => requestFor({ ...facts, args: 0 }, run),
    known: [CALL, callOf({ args: 1 })],
  },
  "callers are not bound": {
    request: (facts, run) => requestFor({ ...facts, caller: 0 }, run),
    known: [CALL, callOf({ caller: 1 })],
  },
  "the policy is not bound": {
    request: (facts, run) => requestFor({ ...facts, policy: 0 }, run),
    known: [CALL, callOf({ policy: 1 })],
  },
};

describe("the model finds a mistake:", () => {
  it.each(Object.entries(MISTAKES))("%s", { timeout: 600_000 }, async (_, mistake) => {
    const bench = benchWith(mistake);
    const property = fc.asyncProperty(histories(STEPS), (history) =>
      runHistory(history, bench, ++runCount, newCounts()),
    );
    const examples: [History][] = isNightly || mistake.known === undefined ? [] : [[mistake.known]];
    const parameters = { numRuns: 2_000, endOnFailure: true, examples };
    const { failed, numRuns, errorInstance } = await fc.check(property, parameters);
    if (process.env["RECOURSE_REPORT"] !== undefined) console.log(JSON.stringify({ failed, numRuns }));
    // Found by an assertion, not by a statement that cannot be run.
    expect(failed).toBe(true);
    expect(errorInstance).toMatchObject({ name: "AssertionError" });
  });
});
