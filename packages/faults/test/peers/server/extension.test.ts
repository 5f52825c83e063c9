// A guarded server announces the faults extension, and clients of every version see it.
import { afterEach, expect, test } from "vitest";
import { guard } from "../../../src/server/index.ts";
import { type Pair, pairOf, SERVER_CLIENT_ERAS } from "../sdk-pairs.ts";

let pair: Pair | undefined;
afterEach(() => pair?.close());

test.each(SERVER_CLIENT_ERAS)(
  "a server (%s) announces the faults extension to a client (%s)",
  async (server, client) => {
    pair = await pairOf(client, (made) => guard(made, { sink: () => {} }), server);
    expect(pair.client.getServerCapabilities()?.extensions).toEqual({ "recourse/faults": { v: 1, keys: false } });
  },
);

test.each(SERVER_CLIENT_ERAS)(
  "a server (%s) whose tools honour keys themselves tells a client (%s)",
  async (server, client) => {
    pair = await pairOf(client, (made) => guard(made, { sink: () => {}, honoursKeys: true }), server);
    expect(pair.client.getServerCapabilities()?.extensions).toEqual({ "recourse/faults": { v: 1, keys: true } });
  },
);

test.each(SERVER_CLIENT_ERAS)("a bare server (%s) announces nothing to a client (%s)", async (server, client) => {
  pair = await pairOf(client, (made) => made, server);
  expect(pair.client.getServerCapabilities()?.extensions).toBeUndefined();
});
