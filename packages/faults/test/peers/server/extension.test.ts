// A guarded server tells its clients that faults travel whole; every version of the client sees it.
import { afterEach, expect, test } from "vitest";
import { guard } from "../../../src/server/index.ts";
import { type Era, type Pair, pairOf } from "../peers.ts";

let pair: Pair | undefined;
afterEach(() => pair?.close());

const CELLS: readonly [server: Era, client: Era][] = [
  ["v2 modern", "v2 modern"],
  ["v2 modern", "v2 legacy"],
  ["v2 modern", "v1"],
  ["v1", "v1"],
  ["v1", "v2 legacy"],
];

test.each(CELLS)("a server (%s) announces faults to a client (%s)", async (server, client) => {
  pair = await pairOf(client, (made) => guard(made, { sink: () => {} }), server);
  expect(pair.client.getServerCapabilities()?.extensions).toEqual({ "recourse/faults": { v: 1, keys: false } });
});

test.each(CELLS)("a bare server (%s) announces nothing to a client (%s)", async (server, client) => {
  pair = await pairOf(client, (made) => made, server);
  expect(pair.client.getServerCapabilities()?.extensions).toBeUndefined();
});
