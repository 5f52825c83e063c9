import { expect, test } from "vitest";
import { MISBEHAVIOURS, type MisbehaviourName, misbehave } from "../../../src/testing/peer/index.ts";
import { ERAS, type Era } from "../peers.ts";
import { connectTo } from "./clients.ts";

const NAMES = Object.keys(MISBEHAVIOURS) as MisbehaviourName[];
const AT_ONCE = 12;

/** Nothing that the official clients wait for ever comes, so they wait for as long as they are told. */
const SILENT: readonly MisbehaviourName[] = [
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

/** What a client of one era sees, how often the effect happened, and what the peer did. */
interface Seen {
  readonly era: Era;
  readonly said: string;
  readonly effects: number;
  readonly did: ReadonlySet<string>;
}

/** One call, at a peer that always misbehaves in this way. */
async function look(era: Era, name: MisbehaviourName): Promise<Seen> {
  await using peer = await misbehave({ tools: { charge: name }, ms: 40 });
  const client = await connectTo(era, peer.url);
  const timeout = SILENT.includes(name) ? 500 : 60_000;
  const said = await client.call("charge", { amount: 1 }, { timeout }).then(say, complain);
  await client.close();
  const did = peer.calls.filter(({ method }) => method === "tools/call").map((call) => call.did);
  return { era, said, effects: peer.effects().total, did: new Set(did) };
}

function say(result: unknown): string {
  return (result as { isError?: boolean }).isError === true ? "isError" : "ok";
}

function complain(error: Error & { code?: unknown; status?: unknown }): string {
  return [error.constructor.name, error.code, error.status].filter((part) => part !== undefined).join(" ");
}

test("every client lives through every misbehaviour", { timeout: 300_000 }, async () => {
  const rows = new Map<MisbehaviourName, Seen[]>(NAMES.map((name) => [name, []]));
  for (const era of ERAS) {
    const waiting = [...NAMES];
    const work = async () => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
        rows.get(name)?.push(await look(era, name));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
  const table = [
    ["misbehaviour", ...ERAS],
    ...[...rows].map(([name, seen]) => [name, ...seen.map(({ said }) => said)]),
  ];
  console.log(table.map((cells) => cells.map((cell) => cell.padEnd(48)).join(" ")).join("\n"));
  for (const [name, seen] of rows) {
    for (const { era, said, effects, did } of seen) {
      expect(effects, `${era}: ${name}`).toBe(MISBEHAVIOURS[name].commits ? 1 : 0);
      expect(did, `${era}: ${name}`).toEqual(new Set([name]));
      if (SILENT.includes(name)) expect(said, name).toBe(TIMED_OUT[era]);
      const [status] = /^[45]\d\d/.exec(name) ?? [];
      if (status !== undefined && era === "v1") expect(said, name).toBe(`StreamableHTTPError ${status}`);
    }
  }
});
