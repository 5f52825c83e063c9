// A guarded server announces the faults extension, and clients of every version see it.

import { connectPair, type SdkPair, SERVER_CLIENT_ERAS } from "@recourse/test-kit/sdk-pairs";
import { afterEach, expect, test } from "vitest";
import { guard } from "../../../src/server/index.ts";

let pair: SdkPair | undefined;
afterEach(() => pair?.close());

test.each(SERVER_CLIENT_ERAS)(
  "a server (%s) whose tools honour keys themselves tells a client (%s)",
  async (server, client) => {
    pair = await connectPair(
      client,
      (made) => guard(made, { sink: () => {}, idempotency: { honoursKeys: true } }),
      server,
    );
    expect(pair.client.getServerCapabilities()?.extensions).toEqual({
      "io.github.recourse-mcp/faults": { v: 1, keys: true },
    });
  },
);
