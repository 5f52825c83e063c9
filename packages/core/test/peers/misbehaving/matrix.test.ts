import { ERAS, type Era } from "@recourse/test-kit/sdk-pairs";
import { MISBEHAVIOURS, type MisbehaviourName, misbehave } from "@recourse/testing/peer";
import { expect, test } from "vitest";
import { connectSdkClient } from "./sdk-clients.ts";

const NAMES = Object.keys(MISBEHAVIOURS) as MisbehaviourName[];
/** Many of the calls only wait. */
const CONCURRENCY = 36;

/** The official clients get no answer and wait until their timeout. */
const WITHOUT_ANSWER: readonly MisbehaviourName[] = [
  "lost-stream",
  "lost-stream-reset",
  "lost-silence",
  "dropped-silence",
  "stalled-head",
  "stalled-body",
  "stalled-stream",
  "reset-mid-stream",
  "wrong-id",
  "accepted-202",
  "stream-not-json",
  "stream-wrong-id",
  "late-after-cancel",
];
const TIMED_OUT: Readonly<Record<Era, string>> = {
  "v2 modern": "SdkError REQUEST_TIMEOUT",
  "v2 legacy": "SdkError REQUEST_TIMEOUT",
  v1: "McpError -32001",
};

/** What one client saw of one misbehaviour. */
interface Observation {
  readonly era: Era;
  /** The result or error of the client, in short. */
  readonly outcome: string;
  readonly effects: number;
  /** The steps that the peer took. */
  readonly steps: ReadonlySet<string>;
}

/** Makes one call to a peer that always misbehaves in this way. */
async function observe(era: Era, name: MisbehaviourName): Promise<Observation> {
  await using peer = await misbehave({ tools: { charge: name }, delayMs: 40 });
  const client = await connectSdkClient(era, peer.url);
  const timeout = WITHOUT_ANSWER.includes(name) ? 2_000 : 60_000;
  const outcome = await client.call("charge", { amount: 1 }, { timeout }).then(describeResult, describeError);
  await client.close();
  const steps = peer.calls.filter(({ method }) => method === "tools/call").map(({ step }) => step);
  return { era, outcome, effects: peer.effects().total, steps: new Set(steps) };
}

function describeResult(result: unknown): string {
  return (result as { isError?: boolean }).isError === true ? "isError" : "ok";
}

function describeError(error: Error & { code?: unknown; status?: unknown }): string {
  return [error.constructor.name, error.code, error.status].filter((part) => part !== undefined).join(" ");
}

test("every client survives every misbehaviour", { timeout: 300_000 }, async () => {
  const rows = new Map<MisbehaviourName, Observation[]>(NAMES.map((name) => [name, []]));
  const queue = NAMES.flatMap((name) => ERAS.map((era) => ({ name, era })));
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      rows.get(next.name)?.push(await observe(next.era, next.name));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  for (const [name, observations] of rows) {
    for (const { era, outcome, effects, steps } of observations) {
      expect(effects, `${era}: ${name}`).toBe(MISBEHAVIOURS[name].commits ? 1 : 0);
      expect(steps, `${era}: ${name}`).toEqual(new Set([name]));
      if (WITHOUT_ANSWER.includes(name)) expect(outcome, name).toBe(TIMED_OUT[era]);
      const [status] = /^[45]\d\d/.exec(name) ?? [];
      if (status !== undefined && era === "v1") expect(outcome, name).toBe(`StreamableHTTPError ${status}`);
    }
  }
});
