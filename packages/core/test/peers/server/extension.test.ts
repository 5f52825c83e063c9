// A guarded server announces the faults extension, and clients of every version see it.

import { openPair } from "@recourse/test-kit/fixtures";
import { SERVER_CLIENT_ERAS } from "@recourse/test-kit/sdk-pairs";
import { expect, test } from "vitest";
import { guard } from "../../../src/server/index.ts";

test.each(SERVER_CLIENT_ERAS)(
  "a server (%s) whose tools honour keys themselves tells a client (%s)",
  async (server, client) => {
    const pair = await openPair(
      client,
      (made) => guard(made, { sink: () => {}, idempotency: { honoursKeys: true } }),
      server,
    );
    expect(pair.client.getServerCapabilities()?.extensions).toEqual({
      "io.github.recourse-mcp/faults": { v: 1, keys: true },
    });
  },
);
