// The whole server on a real port with a real database, and whoever may call it.

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Incident } from "@recourse/faults/server";
import type { Database } from "@recourse/reference-ground";
import { type Limiter, tokenBuckets } from "@recourse/reference-ground";
import { type Cable, createTestDatabase, layCable, type TestDatabase } from "@recourse/reference-ground/testing";
import { tokensWith } from "../../src/access/tokens.ts";
import { createApp } from "../../src/app.ts";
import { openDatabase } from "../../src/database.ts";
import { serveApp } from "../../src/http/node.ts";

const SECRET = "a secret that only the tests of this server know";
export const PUBLIC_URL = "https://gtin.example.com";
const HOUR_MS = 3_600_000;

export interface World {
  /** Where it listens. */
  readonly url: string;
  readonly database: TestDatabase;
  readonly cable: Cable;
  readonly incidents: Incident[];
  /** How often the database was asked something. */
  asked(): number;
  /** The buckets in use; a test may put smaller ones here. */
  limiter: Limiter;
  /** A token of a client that the seeds know. */
  token(scopes: readonly string[], of?: { subject?: string; id?: string; lifetimeMs?: number }): Promise<string>;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly publicUrl?: string;
  readonly now?: () => number;
}

export async function createWorld({ publicUrl = PUBLIC_URL, now = Date.now }: WorldOptions = {}): Promise<World> {
  const database = await createTestDatabase(new URL("../../", import.meta.url));
  const cable = await layCable(database.url);
  const pool = openDatabase({ url: cable.url });
  let asked = 0;
  const counted: Database = {
    ...pool,
    read: (sql, values) => {
      asked += 1;
      return pool.read(sql, values);
    },
  };
  const tokens = tokensWith(SECRET, now);
  const incidents: Incident[] = [];
  const generous = tokenBuckets({ calls: 1_000_000, windowMs: 60_000 });
  const world = { limiter: generous as Limiter };
  const limiter: Limiter = {
    get quota() {
      return world.limiter.quota;
    },
    take: (share) => world.limiter.take(share),
  };
  const app = createApp({ database: counted, tokens, limiter, publicUrl, now, sink: (one) => incidents.push(one) });
  const server = serveApp(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(world, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    database,
    cable,
    incidents,
    asked: () => asked,
    token: (scopes: readonly string[], { subject = "demo", id = "t-1", lifetimeMs = HOUR_MS } = {}) =>
      tokens.sign({ subject, id, scopes }, lifetimeMs),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await app.close();
      await pool.close();
      await cable.close();
      await database.drop();
    },
  });
}
