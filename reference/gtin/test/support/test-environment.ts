// The whole server on a real port with a real database, and tokens for it.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Incident } from "@recourse/faults/server";
import { type Database, type Limiter, tokenBuckets } from "@recourse/reference-shared";
import { createMigratedDatabase } from "@recourse/reference-shared/testing";
import { type FlakyProxy, flakyProxy } from "@recourse/test-kit/network";
import type { TestDatabase } from "@recourse/test-kit/postgres";
import { createTokens } from "../../src/access/tokens.ts";
import { createApp } from "../../src/app.ts";
import { openDatabase } from "../../src/database.ts";
import { serveApp } from "../../src/http/serve-app.ts";

const SECRET = "a secret that only the tests of this server know";
export const PUBLIC_URL = "https://gtin.example.com";
const HOUR_MS = 3_600_000;

export interface TestEnvironment {
  /** The address of the server. */
  readonly url: string;
  readonly database: TestDatabase;
  readonly proxy: FlakyProxy;
  readonly incidents: Incident[];
  /** How many statements the server has run. */
  queryCount(): number;
  /** The limiter in use; a test may replace it. */
  limiter: Limiter;
  /** A token for a client of the seeds. */
  token(scopes: readonly string[], of?: { subject?: string; id?: string; lifetimeMs?: number }): Promise<string>;
  close(): Promise<void>;
}

export interface TestEnvironmentOptions {
  readonly publicUrl?: string;
  readonly now?: () => number;
}

export async function createTestEnvironment({
  publicUrl = PUBLIC_URL,
  now = Date.now,
}: TestEnvironmentOptions = {}): Promise<TestEnvironment> {
  const database = await createMigratedDatabase(new URL("../../", import.meta.url));
  const proxy = await flakyProxy(database.url);
  const pool = openDatabase({ url: proxy.url });
  let queryCount = 0;
  const counted: Database = {
    ...pool,
    read: (sql, values) => {
      queryCount += 1;
      return pool.read(sql, values);
    },
  };
  const tokens = createTokens(SECRET, now);
  const incidents: Incident[] = [];
  const generous = tokenBuckets({ calls: 1_000_000, windowMs: 60_000 });
  const environment = { limiter: generous as Limiter };
  const limiter: Limiter = {
    get quota() {
      return environment.limiter.quota;
    },
    take: (share) => environment.limiter.take(share),
  };
  const app = createApp({ database: counted, tokens, limiter, publicUrl, now, sink: (one) => incidents.push(one) });
  const server = serveApp(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(environment, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    database,
    proxy,
    incidents,
    queryCount: () => queryCount,
    token: (scopes: readonly string[], { subject = "demo", id = "t-1", lifetimeMs = HOUR_MS } = {}) =>
      tokens.sign({ subject, id, scopes }, lifetimeMs),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await app.close();
      await pool.close();
      await proxy.close();
      await database.drop();
    },
  });
}
