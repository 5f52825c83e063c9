// No history lets a call through that nobody approved, or uses an approval up for a call that was not attempted.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runs } from "../../../faults/test/runs.ts";
import type { ApprovalRequest } from "../../src/approvals/approvals.ts";
import { type Bench, type Counts, type Facts, histories, runHistory } from "./run-model.ts";
import { type ReplicaOptions, type Replicas, requestOf, startReplicas } from "./support.ts";

const STEPS = 30;
let runCount = 0;

function requestFor({ caller, args, policy }: Facts, run: number): ApprovalRequest {
  return requestOf({ caller: `${run}-${caller}`, arguments: `[${args}]`, expiresMs: 900_000 + policy });
}

function benchOn({ database, stores, pools }: Replicas, request: Bench["request"] = requestFor): Bench {
  return {
    stores,
    request,
    async expire(id) {
      // The statement reads the clock before the row: others must see it as over at once.
      const text =
        "update gateway_approval set expires = least(expires, clock_timestamp() - interval '1 ms') where id = $1";
      await pools[0].query(text, [id]);
    },
    async consumed(run) {
      const text = "select id from gateway_approval where caller like $1 and state = 'consumed'";
      return (await database.query(text, [`%"${run}-%`])).map((row) => String(row["id"]));
    },
  };
}

const newCounts = (): Counts => ({ operations: 0, asked: 0, passed: 0, sent: 0, givenBack: 0, deaths: 0 });

describe("two replicas on one database", () => {
  let replicas: Replicas;
  beforeAll(async () => {
    replicas = await startReplicas();
  }, 120_000);
  afterAll(() => replicas.close());

  it("answer as the model does, and let through what was approved, once", { timeout: 3_600_000 }, async () => {
    const counts = newCounts();
    const numRuns = runs(100);
    const bench = benchOn(replicas);
    const property = fc.asyncProperty(histories(STEPS), (history) => runHistory(history, bench, ++runCount, counts));
    await fc.assert(property, { numRuns });
    if (process.env["RECOURSE_REPORT"] !== undefined) console.log(JSON.stringify({ numRuns, ...counts }));
    // The histories reach what they are about.
    expect(counts.sent).toBeGreaterThan(0);
    expect(counts.deaths).toBeGreaterThan(0);
    expect(counts.givenBack).toBeGreaterThan(0);
  });
});

/** Mistakes that the model has to find. Each changes a statement, or what a request is bound to. */
const MISTAKES: Readonly<Record<string, ReplicaOptions & { readonly request?: Bench["request"] }>> = {
  "two calls read one approval": { mutate: (text) => text.replace("for update of a", "") },
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
  },
  "a denial does not win": { mutate: (text) => text.replace("d.state = 'denied'", "false") },
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
  },
  "arguments are not bound": { request: (facts, run) => requestFor({ ...facts, args: 0 }, run) },
  "callers are not bound": { request: (facts, run) => requestFor({ ...facts, caller: 0 }, run) },
  "the policy is not bound": { request: (facts, run) => requestFor({ ...facts, policy: 0 }, run) },
};

describe("the model finds a mistake:", () => {
  it.each(Object.entries(MISTAKES))("%s", { timeout: 600_000 }, async (_, { request, ...options }) => {
    const replicas = await startReplicas(options);
    try {
      const bench = benchOn(replicas, request);
      const property = fc.asyncProperty(histories(STEPS), (history) =>
        runHistory(history, bench, ++runCount, newCounts()),
      );
      const { failed, numRuns, errorInstance } = await fc.check(property, { numRuns: 2_000, endOnFailure: true });
      if (process.env["RECOURSE_REPORT"] !== undefined) console.log(JSON.stringify({ failed, numRuns }));
      // Found by an assertion, not by a statement that cannot be run.
      expect(failed).toBe(true);
      expect(errorInstance).toMatchObject({ name: "AssertionError" });
    } finally {
      await replicas.close();
    }
  });
});
