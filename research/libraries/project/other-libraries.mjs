import fs from "node:fs";
import fsp from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { W } from "./expectations.mjs";
import { PLANTED, PORT, REFUSED, TLS_PORT } from "./service.mjs";

/** The port of the PostgreSQL that the study starts. */
const POSTGRES = process.env.STUDY_POSTGRES ?? 29032;
const PG = `postgres://postgres@127.0.0.1:${POSTGRES}/app`,
  PGBAD = `postgres://app:${PLANTED.dbPw}@127.0.0.1:${REFUSED}/app`;
const MY = { host: "127.0.0.1", port: 29036, user: "app", password: "PlantedMyPw1", database: "app" };
const one = (lib, pkg, list) => list.map(([sit, expect, run, args]) => ({ lib, pkg, sit, expect, run, args }));

// ---------- pg ----------
const pgc = async (cs, work, opt = {}) => {
  const { default: pg } = await import("pg");
  const c = new pg.Client({ connectionString: cs, ...opt });
  c.on("error", () => {});
  await c.connect();
  try {
    return await work(c);
  } finally {
    c.end().catch(() => {});
  }
};
const SQL = {
  unique: ["insert into orders values (1,'ann@example.com',1,1)", W.conflict],
  fk: [
    "insert into orders values (77,'fk@example.com',1,999)",
    {
      read: {
        ...W.conflict.read,
        kinds: ["conflict", "not_found", "invalid_input"],
        moves: ["refresh", "choose_another", "fix_input"],
      },
      write: {
        ...W.conflict.write,
        kinds: ["conflict", "not_found", "invalid_input"],
        moves: ["refresh", "choose_another", "fix_input"],
      },
    },
  ],
  notnull: ["insert into orders values (78,null,1,1)", W.input()],
  check: ["insert into orders values (79,'c@example.com',-1,1)", W.input()],
  badvalue: ["select * from orders where id = 'abc'::int", W.input()],
  toolong: ["insert into orders values (80,'averyverylongmailaddress@example.com',1,1)", W.input()],
  syntax: ["selec 1", W.bug],
  notable: ["select * from secret_table", W.bug],
  timeout: ["set statement_timeout=150; select pg_sleep(3)", W.timeout],
  lock: ["set lock_timeout=150; select * from locked_row for update", W.busy],
  denied: ["set role nobody_role; select * from orders", W.config],
  readonly: ["set default_transaction_read_only=on; insert into orders values (81,'r@example.com',1,1)", W.down],
};
const pgCases = [
  ["refused", W.down, () => pgc(PGBAD, (c) => c.query("select 1"))],
  [
    "wrong password",
    W.config,
    () => pgc(`postgres://pwuser:PlantedPw99@127.0.0.1:${POSTGRES}/app`, (c) => c.query("select 1")),
  ],
  [
    "no such database",
    W.config,
    () => pgc(`postgres://postgres@127.0.0.1:${POSTGRES}/nope`, (c) => c.query("select 1")),
  ],
  [
    "killed by the administrator (57P01)",
    W.lost,
    () =>
      pgc(PG, async (c) => {
        const { rows } = await c.query("select pg_backend_pid() p");
        const p = c.query("select pg_sleep(3)");
        p.catch(() => {});
        await pgc(PG, (d) => d.query(`select pg_terminate_backend(${rows[0].p})`));
        return p;
      }),
  ],
  [
    "serialization failure (40001)",
    W.busy,
    () =>
      pgc(PG, async (a) =>
        pgc(PG, async (b) => {
          for (const x of [a, b]) {
            await x.query("begin isolation level serializable");
            await x.query("select * from ser");
          }
          await a.query("update ser set v=v+1");
          await a.query("commit");
          await b.query("update ser set v=v+1");
          await b.query("commit");
        }),
      ),
  ],
  [
    "pool: no free connection in time",
    W.timeout,
    async () => {
      const { default: pg } = await import("pg");
      const pool = new pg.Pool({ connectionString: PG, max: 1, connectionTimeoutMillis: 150 });
      const c = await pool.connect();
      try {
        await pool.query("select 1");
      } finally {
        c.release();
        pool.end();
      }
    },
  ],
  ["query_timeout", W.timeout, () => pgc(PG, (c) => c.query("select pg_sleep(1)"), { query_timeout: 150 })],
  ...Object.entries(SQL).map(([n, [q, e]]) => [
    n,
    e,
    () =>
      pgc(PG, async (c) => {
        for (const s of q.split("; ")) await c.query(s);
      }),
  ]),
];
// ---------- postgres ----------
const sql = async (cs, work, opt = {}) => {
  const { default: postgres } = await import("postgres");
  const s = postgres(cs, { max: 1, onnotice() {}, connect_timeout: 1, ...opt });
  try {
    return await work(s);
  } finally {
    s.end({ timeout: 0 }).catch(() => {});
  }
};
const postgresCases = [
  ["refused", W.down, () => sql(PGBAD, (s) => s`select 1`)],
  [
    "wrong password",
    W.config,
    () => sql(`postgres://pwuser:PlantedPw99@127.0.0.1:${POSTGRES}/app`, (s) => s`select 1`),
  ],
  ...["unique", "fk", "notnull", "check", "badvalue", "syntax", "notable", "timeout", "lock"].map((n) => [
    n,
    SQL[n][1],
    () =>
      sql(PG, async (s) => {
        for (const q of SQL[n][0].split("; ")) await s.unsafe(q);
      }),
  ]),
];
// ---------- mysql2 ----------
const my = async (work, opt = {}) => {
  const { default: mysql } = await import("mysql2/promise");
  const c = await mysql.createConnection({ ...MY, ...opt });
  c.on?.("error", () => {});
  try {
    return await work(c);
  } finally {
    c.destroy();
  }
};
const mysqlCases = [
  ["refused", W.down, () => my((c) => c.query("select 1"), { port: REFUSED })],
  ["access denied", W.config, () => my((c) => c.query("select 1"), { password: "wrong" })],
  ["unknown database", W.config, () => my((c) => c.query("select 1"), { database: "nope" })],
  ["unique", W.conflict, () => my((c) => c.query("insert into orders values (1,'ann@example.com',1,1)"))],
  ["fk", SQL.fk[1], () => my((c) => c.query("insert into orders values (77,'fk@example.com',1,999)"))],
  ["notnull", W.input(), () => my((c) => c.query("insert into orders values (78,null,1,1)"))],
  ["check", W.input(), () => my((c) => c.query("insert into orders values (79,'c@example.com',-1,1)"))],
  [
    "toolong",
    W.input(),
    () => my((c) => c.query("insert into orders values (80,'averyverylongmailaddress@example.com',1,1)")),
  ],
  ["syntax", W.bug, () => my((c) => c.query("selec 1"))],
  ["notable", W.bug, () => my((c) => c.query("select * from secret_table"))],
  ["denied", W.config, () => my((c) => c.query("create table x(i int)"))],
  [
    "timeout (max_statement_time)",
    W.timeout,
    () =>
      my(async (c) => {
        await c.query("set max_statement_time=0.15");
        await c.query(
          "select sleep(2) from orders where (select count(*) from information_schema.columns a, information_schema.columns b, information_schema.columns c) > 0",
        );
      }),
  ],
  [
    "lock wait",
    W.busy,
    () =>
      my(async (a) =>
        my(async (b) => {
          await a.query("begin");
          await a.query("update orders set qty=2 where id=1");
          await b.query("set innodb_lock_wait_timeout=1");
          try {
            await b.query("update orders set qty=3 where id=1");
          } finally {
            await a.query("rollback");
          }
        }),
      ),
  ],
  [
    "connection killed",
    W.lost,
    () =>
      my(async (a) => {
        const [[{ id }]] = await a.query("select connection_id() id");
        await a.query(`kill ${id}`).catch((e) => {
          if (e.errno !== 1317 && e.errno !== 1927) throw e;
        });
        await sleep(50);
        await a.query("select 1");
      }),
  ],
];
// ---------- sqlite ----------
const DDL =
  "create table orders(id integer primary key, email text not null unique, qty int check (qty>0), customer int references customers(id)); create table customers(id integer primary key); insert into customers values (1); insert into orders values (1,'ann@example.com',1,1)";
const LITE = {
  unique: ["insert into orders values (2,'ann@example.com',1,1)", W.conflict],
  notnull: ["insert into orders values (3,null,1,1)", W.input()],
  check: ["insert into orders values (4,'x',-1,1)", W.input()],
  fk: ["insert into orders values (5,'y',1,99)", SQL.fk[1]],
  notable: ["select * from secret_table", W.bug],
  syntax: ["selec 1", W.bug],
};
const nodeSqlite = async (work) => {
  const { DatabaseSync } = await import("node:sqlite");
  const d = new DatabaseSync(":memory:");
  d.exec("pragma foreign_keys=on");
  d.exec(DDL);
  try {
    return await work(d, DatabaseSync);
  } finally {
    d.close();
  }
};
const better = async (work) => {
  const { default: B } = await import("better-sqlite3");
  const d = new B(":memory:");
  d.pragma("foreign_keys=on");
  d.exec(DDL);
  try {
    return await work(d, B);
  } finally {
    d.close();
  }
};
const busyFile = "./busy.db";
const nodeSqliteCases = [
  ...Object.entries(LITE).map(([n, [q, e]]) => [n, e, () => nodeSqlite((d) => d.prepare(q).run())]),
  [
    "busy",
    W.busy,
    async () => {
      const { DatabaseSync } = await import("node:sqlite");
      const a = new DatabaseSync(busyFile),
        b = new DatabaseSync(busyFile);
      try {
        a.exec("create table if not exists t(i); begin exclusive");
        b.exec("insert into t values (1)");
      } finally {
        a.exec("rollback");
        a.close();
        b.close();
      }
    },
  ],
  [
    "cannot open",
    W.config,
    async () => {
      const { DatabaseSync } = await import("node:sqlite");
      new DatabaseSync("/nonexistent/app.db");
    },
  ],
  [
    "readonly",
    W.config,
    async () => {
      const { DatabaseSync } = await import("node:sqlite");
      const a = new DatabaseSync(busyFile, { readOnly: true });
      try {
        a.exec("insert into t values (1)");
      } finally {
        a.close();
      }
    },
  ],
  [
    "full",
    W.config,
    () =>
      nodeSqlite((d) => {
        d.exec("pragma max_page_count=6");
        for (let i = 0; i < 99; i++) d.exec(`insert into orders values (${100 + i},'${"x".repeat(900)}${i}',1,1)`);
      }),
  ],
];
const betterCases = [
  ...Object.entries(LITE).map(([n, [q, e]]) => [n, e, () => better((d) => d.prepare(q).run())]),
  [
    "busy",
    W.busy,
    async () => {
      const { default: B } = await import("better-sqlite3");
      const a = new B(busyFile),
        b = new B(busyFile, { timeout: 50 });
      try {
        a.exec("create table if not exists t(i); begin exclusive");
        b.exec("insert into t values (1)");
      } finally {
        a.exec("rollback");
        a.close();
        b.close();
      }
    },
  ],
  [
    "cannot open",
    W.config,
    async () => {
      const { default: B } = await import("better-sqlite3");
      new B("/nonexistent/app.db");
    },
  ],
];
const libsqlCases = Object.entries(LITE).map(([n, [q, e]]) => [
  n,
  e,
  async () => {
    const { createClient } = await import("@libsql/client");
    const c = createClient({ url: ":memory:" });
    try {
      await c.execute("pragma foreign_keys=on");
      for (const s of DDL.split("; ")) await c.execute(s);
      await c.execute(q);
    } finally {
      c.close();
    }
  },
]);
// ---------- ORMs on PostgreSQL ----------
const orm = (run) => [
  ["refused", W.down, () => run(PGBAD, "select 1")],
  ...["unique", "notnull", "badvalue", "syntax", "timeout"].map((n) => [n, SQL[n][1], () => run(PG, SQL[n][0])]),
];
const drizzle = async (cs, q) => {
  const { drizzle } = await import("drizzle-orm/node-postgres");
  const { sql: raw } = await import("drizzle-orm");
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({ connectionString: cs, max: 1 });
  pool.on("error", () => {});
  const db = drizzle(pool);
  try {
    for (const s of q.split("; ")) await db.execute(raw.raw(s));
  } finally {
    pool.end().catch(() => {});
  }
};
const knexRun = async (cs, q) => {
  const { default: knex } = await import("knex");
  const k = knex({ client: "pg", connection: cs, pool: { min: 0, max: 1 }, acquireConnectionTimeout: 2000 });
  try {
    for (const s of q.split("; ")) await k.raw(s);
  } finally {
    k.destroy().catch(() => {});
  }
};
const sequelizeRun = async (cs, q) => {
  const { Sequelize } = await import("sequelize");
  const s = new Sequelize(cs, { logging: false, pool: { max: 1 } });
  try {
    for (const x of q.split("; ")) await s.query(x);
  } finally {
    s.close().catch(() => {});
  }
};
const typeormRun = async (cs, q) => {
  const { DataSource } = await import("typeorm");
  const d = await new DataSource({ type: "postgres", url: cs, logging: false, poolSize: 1 }).initialize();
  try {
    for (const x of q.split("; ")) await d.query(x);
  } finally {
    d.destroy().catch(() => {});
  }
};

const mongoCases = [
  [
    "refused",
    W.down,
    async () => {
      const { MongoClient } = await import("mongodb");
      const c = new MongoClient(`mongodb://app:${PLANTED.dbPw}@127.0.0.1:${REFUSED}/app`, {
        serverSelectionTimeoutMS: 400,
      });
      try {
        await c.db().collection("a").findOne();
      } finally {
        c.close();
      }
    },
  ],
];
const mongooseCases = [
  [
    "refused (connect)",
    W.down,
    async () => {
      const { default: m } = await import("mongoose");
      await m.createConnection(`mongodb://127.0.0.1:${REFUSED}/app`, { serverSelectionTimeoutMS: 400 }).asPromise();
    },
  ],
  [
    "validation",
    W.input(),
    async () => {
      const { default: m } = await import("mongoose");
      const T = m.models.T ?? m.model("T", new m.Schema({ name: { type: String, required: true } }));
      await new T({}).validate();
    },
  ],
  [
    "cast",
    W.input(),
    async () => {
      const { default: m } = await import("mongoose");
      const T = m.models.T ?? m.model("T", new m.Schema({ name: { type: String, required: true } }));
      await T.findById("not-an-id").exec();
    },
  ],
];
const io = async (work, opt) => {
  const { default: Redis } = await import("ioredis");
  const r = new Redis({ host: "127.0.0.1", port: 29033, maxRetriesPerRequest: 1, retryStrategy: () => null, ...opt });
  r.on("error", () => {});
  try {
    return await work(r);
  } finally {
    r.disconnect();
  }
};
const ioCases = [
  ["refused", W.down, () => io((r) => r.get("k"), { port: REFUSED })],
  [
    "refused (default retries: MaxRetriesPerRequestError)",
    W.down,
    () => io((r) => r.get("k"), { port: REFUSED, retryStrategy: () => 20 }),
  ],
  [
    "WRONGTYPE",
    W.bug,
    () =>
      io(async (r) => {
        await r.del("l");
        await r.lpush("l", "1");
        await r.get("l");
      }),
  ],
  ["NOAUTH", W.config, () => io((r) => r.get("k"), { port: 29034 })],
  ["READONLY replica", W.down, () => io((r) => r.set("k", "v"), { port: 29035 })],
  [
    "OOM",
    { read: W.busy.read, write: W.busy.write },
    () =>
      io(async (r) => {
        await r.config("SET", "maxmemory", "1");
        try {
          await r.set("big", "x");
        } finally {
          await r.config("SET", "maxmemory", "0");
        }
      }),
  ],
  ["commandTimeout", W.timeout, () => io((r) => r.blpop("none", 2), { commandTimeout: 150 })],
];
const nr = async (work, opt) => {
  const { createClient } = await import("redis");
  const c = createClient({
    socket: { host: "127.0.0.1", port: 29033, reconnectStrategy: false, connectTimeout: 500 },
    ...opt,
  });
  c.on("error", () => {});
  await c.connect();
  try {
    return await work(c);
  } finally {
    c.destroy?.();
  }
};
const nrCases = [
  [
    "refused",
    W.down,
    () => nr((c) => c.get("k"), { socket: { host: "127.0.0.1", port: REFUSED, reconnectStrategy: false } }),
  ],
  [
    "WRONGTYPE",
    W.bug,
    () =>
      nr(async (c) => {
        await c.del("l");
        await c.lPush("l", "1");
        await c.get("l");
      }),
  ],
  [
    "NOAUTH",
    W.config,
    () => nr((c) => c.get("k"), { socket: { host: "127.0.0.1", port: 29034, reconnectStrategy: false } }),
  ],
  [
    "READONLY replica",
    W.down,
    () => nr((c) => c.set("k", "v"), { socket: { host: "127.0.0.1", port: 29035, reconnectStrategy: false } }),
  ],
];
const kafkaCases = [
  [
    "refused",
    W.down,
    async () => {
      const { Kafka, logLevel } = await import("kafkajs");
      const k = new Kafka({
        clientId: "a",
        brokers: [`127.0.0.1:${REFUSED}`],
        logLevel: logLevel.NOTHING,
        retry: { retries: 1, initialRetryTime: 30 },
        connectionTimeout: 500,
      });
      await k.producer().connect();
    },
  ],
];

// ---------- mail, ssh ----------
const mail = async (opt, to = "ok@example.com") => {
  const { default: nm } = await import("nodemailer");
  const t = nm.createTransport({
    host: "127.0.0.1",
    port: 29053,
    secure: false,
    ignoreTLS: true,
    connectionTimeout: 400,
    greetingTimeout: 400,
    socketTimeout: 500,
    ...opt,
  });
  try {
    await t.sendMail({ from: "a@example.com", to, subject: "s", text: "t" });
  } finally {
    t.close();
  }
};
const mailCases = [
  ["refused", W.down, () => mail({ port: REFUSED })],
  ["535 login refused", W.config, () => mail({ auth: { user: "app", pass: PLANTED.dbPw } })],
  [
    "550 no such mailbox",
    {
      read: { ...W.input().read, kinds: ["invalid_input", "not_found"], moves: ["fix_input", "choose_another"] },
      write: { ...W.input().write, kinds: ["invalid_input", "not_found"], moves: ["fix_input", "choose_another"] },
    },
    () => mail({}, "nobody@example.com"),
  ],
  ["451 try again later", W.busy, () => mail({}, "later@example.com")],
  ["timeout", W.timeout, () => mail({ port: 29055 })],
];
const ssh = async (opt) => {
  const { Client } = (await import("ssh2")).default;
  return new Promise((yes, no) => {
    const c = new Client();
    c.on("ready", () => {
      c.end();
      yes();
    })
      .on("error", no)
      .connect({ host: "127.0.0.1", port: 29054, username: "app", password: PLANTED.dbPw, readyTimeout: 600, ...opt });
  });
};
const sshCases = [
  ["refused", W.down, () => ssh({ port: REFUSED })],
  ["login refused", W.config, () => ssh({})],
  ["timeout", W.timeout, () => ssh({ port: 29055 })],
];

// ---------- gRPC, Connect, tRPC ----------
let _grpcClient;
const grpcCall = async (code, opt = {}, address = "127.0.0.1:29050") => {
  const { default: grpc } = await import("@grpc/grpc-js");
  const S = {
    call: {
      path: "/app.Items/Call",
      requestStream: false,
      responseStream: false,
      requestSerialize: (v) => Buffer.from(JSON.stringify(v)),
      requestDeserialize: (b) => JSON.parse(b),
      responseSerialize: (v) => Buffer.from(JSON.stringify(v)),
      responseDeserialize: (b) => JSON.parse(b),
    },
  };
  const C = grpc.makeGenericClientConstructor(S, "Items");
  const c = new C(address, grpc.credentials.createInsecure());
  return new Promise((yes, no) =>
    c.call({ code }, { deadline: Date.now() + 500, ...opt }, (e, r) => {
      c.close();
      e ? no(e) : yes(r);
    }),
  );
};
const RPC = [
  [3, "INVALID_ARGUMENT", W.input("due_date must be in the future")],
  [5, "NOT_FOUND", W.notfound],
  [6, "ALREADY_EXISTS", W.conflict],
  [7, "PERMISSION_DENIED", W.denied],
  [8, "RESOURCE_EXHAUSTED", W.rate()],
  [9, "FAILED_PRECONDITION", W.state],
  [10, "ABORTED", { read: { ...W.busy.read, moves: ["retry", "refresh"] }, write: W.busy.write }],
  [12, "UNIMPLEMENTED", W.unsupported],
  [13, "INTERNAL", W.upfail],
  [14, "UNAVAILABLE", { read: W.down.read, write: { ...W.down.write, effects: ["possible"] } }],
  [16, "UNAUTHENTICATED", W.config],
];
const grpcCases = [
  ...RPC.map(([c, n, e]) => [n, e, () => grpcCall(c)]),
  ["DEADLINE_EXCEEDED", W.timeout, () => grpcCall(99, { deadline: Date.now() + 200 })],
  ["refused", W.down, () => grpcCall(0, {}, `127.0.0.1:${REFUSED}`)],
];
let connectParts;
const connectCall = async (sit, timeoutMs = 400) => {
  const { createClient } = await import("@connectrpc/connect");
  const { createConnectTransport } = await import("@connectrpc/connect-node");
  if (!connectParts) {
    const { create, createFileRegistry } = await import("@bufbuild/protobuf");
    const { FileDescriptorSetSchema } = await import("@bufbuild/protobuf/wkt");
    const reg = createFileRegistry(
      create(FileDescriptorSetSchema, {
        file: [
          {
            name: "items.proto",
            package: "app",
            syntax: "proto3",
            messageType: [{ name: "Q", field: [{ name: "id", number: 1, type: 9, label: 1, jsonName: "id" }] }],
            service: [{ name: "Items", method: [{ name: "Get", inputType: ".app.Q", outputType: ".app.Q" }] }],
          },
        ],
      }),
    );
    connectParts = reg.getService("app.Items");
  }
  const c = createClient(
    connectParts,
    createConnectTransport({
      baseUrl: `http://127.0.0.1:${sit === "refused" ? REFUSED : PORT}/connect/${sit}`,
      httpVersion: "1.1",
      useBinaryFormat: false,
    }),
  );
  return c.get({ id: "42" }, { timeoutMs });
};
const connectCases = [
  ["s429ra", W.rate(7000)],
  ["s401", W.config],
  ["s403", W.denied],
  ["s404", W.notfound],
  ["s409", W.conflict],
  ["s422", W.input("due_date must be in the future")],
  ["s500", W.upfail],
  ["s503ra", W.wait503(7000)],
  ["refused", W.down],
  ["timeout", W.timeout],
  ["reset", W.lost],
  ["badjson", W.badreply],
].map(([s, e]) => [s, e, () => connectCall(s)]);
const trpcCall = async (code, mode, signal, port = 29052) => {
  const { createTRPCClient, httpLink } = await import("@trpc/client");
  const c = createTRPCClient({ links: [httpLink({ url: `http://127.0.0.1:${port}` })] });
  return mode === "read" ? c.get.query(code, { signal }) : c.set.mutate(code, { signal });
};
const trpcCases = [
  ["TOO_MANY_REQUESTS", W.rate()],
  ["UNAUTHORIZED", W.config],
  ["FORBIDDEN", W.denied],
  ["NOT_FOUND", W.notfound],
  ["CONFLICT", W.conflict],
  ["BAD_REQUEST", W.input("due_date must be in the future")],
  ["INTERNAL_SERVER_ERROR", W.upfail],
].map(([s, e]) => [s, e, ({ mode }) => trpcCall(s, mode)]);
trpcCases.push(
  ["refused", W.down, ({ mode }) => trpcCall("x", mode, undefined, REFUSED)],
  ["timeout", W.timeout, ({ mode }) => trpcCall("HANG", mode, AbortSignal.timeout(300))],
);

// ---------- browsers ----------
let pw, pp;
const page = async (work) => {
  const { chromium } = await import("playwright-core");
  pw ??= await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  const p = await pw.newPage();
  try {
    return await work(p);
  } finally {
    await p.close().catch(() => {});
  }
};
const pwCases = [
  [
    "selector not there (TimeoutError)",
    W.timeout,
    () =>
      page(async (p) => {
        await p.setContent("<b>x</b>");
        await p.click("#buy", { timeout: 300 });
      }),
  ],
  ["navigation refused", W.down, () => page((p) => p.goto(`http://127.0.0.1:${REFUSED}/`))],
  [
    "navigation timeout",
    W.timeout,
    () => page((p) => p.goto(`http://127.0.0.1:${PORT}/generic/timeout/`, { timeout: 400 })),
  ],
  ["unknown host", W.config, () => page((p) => p.goto("http://no-such-host.invalid/"))],
];
const ppage = async (work) => {
  const { default: puppeteer } = await import("puppeteer-core");
  pp ??= await puppeteer.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"], headless: true });
  const p = await pp.newPage();
  try {
    return await work(p);
  } finally {
    await p.close().catch(() => {});
  }
};
const ppCases = [
  [
    "selector not there (TimeoutError)",
    W.timeout,
    () =>
      ppage(async (p) => {
        await p.setContent("<b>x</b>");
        await p.waitForSelector("#buy", { timeout: 300 });
      }),
  ],
  ["navigation refused", W.down, () => ppage((p) => p.goto(`http://127.0.0.1:${REFUSED}/`))],
  [
    "navigation timeout",
    W.timeout,
    () => ppage((p) => p.goto(`http://127.0.0.1:${PORT}/generic/timeout/`, { timeout: 400 })),
  ],
];
export async function closeBrowsers() {
  await pw?.close().catch(() => {});
  await pp?.close().catch(() => {});
}

// ---------- files and programs ----------
const D = "./files";
fs.mkdirSync(`${D}/full`, { recursive: true });
fs.writeFileSync(`${D}/a.txt`, "x");
fs.writeFileSync(`${D}/full/b.txt`, "x");
fs.writeFileSync("./noexec.sh", "#!/bin/sh\n", { mode: 0o600 });
const asNobody = async (work) => {
  process.seteuid("nobody");
  try {
    return await work();
  } finally {
    process.seteuid("root");
  }
};
fs.writeFileSync(`${D}/private.txt`, "x", { mode: 0o600 });
const inputKinds = (k, m) => ({
  read: { ...W.input().read, kinds: k, moves: m },
  write: { ...W.input().write, kinds: k, moves: m },
});
const fsCases = [
  ["ENOENT, path of the caller", W.notfound, ({ args }) => fsp.readFile(args.path), { path: `${D}/missing.txt` }],
  [
    "ENOENT, relative name of the caller",
    W.notfound,
    ({ args }) => fsp.readFile(`${D}/${args.path}`),
    { path: "missing.txt" },
  ],
  ["ENOENT, the server's own file", W.bug, () => fsp.readFile("/etc/app/config.json"), {}],
  [
    "EACCES, path of the caller",
    inputKinds(["forbidden", "unavailable", "not_found"], ["ask_user", "choose_another", "stop"]),
    ({ args }) => asNobody(() => fsp.readFile(args.path)),
    { path: `${D}/private.txt` },
  ],
  [
    "EISDIR, path of the caller",
    inputKinds(["invalid_input", "not_found"], ["fix_input", "choose_another"]),
    ({ args }) => fsp.readFile(args.path),
    { path: D },
  ],
  [
    "ENOTDIR, path of the caller",
    inputKinds(["invalid_input", "not_found"], ["fix_input", "choose_another"]),
    ({ args }) => fsp.readdir(args.path),
    { path: `${D}/a.txt` },
  ],
  [
    "EEXIST, path of the caller",
    W.conflict,
    ({ args }) => fsp.writeFile(args.path, "x", { flag: "wx" }),
    { path: `${D}/a.txt` },
  ],
  [
    "ENOTEMPTY, path of the caller",
    { read: W.state.read, write: W.state.write },
    ({ args }) => fsp.rmdir(args.path),
    { path: `${D}/full` },
  ],
  ["ENOSPC", W.config, () => fsp.writeFile("/dev/full", "x"), {}],
];
const cpCases = [
  [
    "exec: exit code 1",
    W.program,
    async () => {
      const { exec } = await import("node:child_process");
      const { promisify } = await import("node:util");
      await promisify(exec)(`echo "fatal: password=${PLANTED.dbPw}" >&2; exit 1`);
    },
  ],
  [
    "execFile: program missing (ENOENT)",
    W.config,
    async () => {
      const { execFile } = await import("node:child_process");
      const { promisify } = await import("node:util");
      await promisify(execFile)("no-such-program", []);
    },
  ],
  [
    "execFile: not executable (EACCES)",
    W.config,
    async () => {
      const { execFile } = await import("node:child_process");
      const { promisify } = await import("node:util");
      await promisify(execFile)("./noexec.sh", []);
    },
  ],
  [
    "exec: timeout",
    W.timeout,
    async () => {
      const { exec } = await import("node:child_process");
      const { promisify } = await import("node:util");
      await promisify(exec)("sleep 3", { timeout: 150 });
    },
  ],
  [
    "exec: output too long (maxBuffer)",
    W.program,
    async () => {
      const { exec } = await import("node:child_process");
      const { promisify } = await import("node:util");
      await promisify(exec)("head -c 5000 /dev/zero", { maxBuffer: 100 });
    },
  ],
];
const execaCases = [
  [
    "exit code 1",
    W.program,
    async () => {
      const { execa } = await import("execa");
      await execa("sh", ["-c", `echo password=${PLANTED.dbPw} >&2; exit 1`]);
    },
  ],
  [
    "program missing (ENOENT)",
    W.config,
    async () => {
      const { execa } = await import("execa");
      await execa("no-such-program");
    },
  ],
  [
    "timeout",
    W.timeout,
    async () => {
      const { execa } = await import("execa");
      await execa("sleep", ["3"], { timeout: 150 });
    },
  ],
  [
    "aborted by the handler",
    W.timeout,
    async () => {
      const { execa } = await import("execa");
      const c = new AbortController();
      setTimeout(() => c.abort(), 100);
      await execa("sleep", ["3"], { cancelSignal: c.signal });
    },
  ],
];
const gitCases = [
  [
    "not a repository",
    W.program,
    async () => {
      const { simpleGit } = await import("simple-git");
      await simpleGit("./files").log();
    },
  ],
  [
    "unknown revision",
    W.program,
    async () => {
      const { simpleGit } = await import("simple-git");
      const d = "./files/repo";
      fs.mkdirSync(d, { recursive: true });
      const g = simpleGit(d);
      await g.init();
      await g.checkout("no-such-branch");
    },
  ],
];

// ---------- checking and parsing ----------
const inputCase = W.input();
const parseCases = (lib, pkg, run) =>
  one(lib, pkg, [["document of the caller", inputCase, run, { value: "{[<a: b: : c" }]]);
const checkCases = [
  ...one("zod parse in the handler", "zod", [
    [
      "of the caller's argument",
      W.input(),
      async ({ args }) => {
        const z = await import("zod");
        z.object({ value: z.string().email() }).parse(args);
      },
      { value: "not a mail" },
    ],
    [
      "of a service's reply",
      {
        read: { ...W.badreply.read, kinds: ["upstream_failed", "internal"] },
        write: { ...W.badreply.write, kinds: ["upstream_failed", "internal"], moves: ["refresh", "stop"] },
      },
      async () => {
        const z = await import("zod");
        z.object({ items: z.array(z.string()) }).parse({ items: null });
      },
      { value: "x" },
    ],
  ]),
  ...one("valibot parse in the handler", "valibot", [
    [
      "of the caller's argument",
      W.input(),
      async ({ args }) => {
        const v = await import("valibot");
        v.parse(v.object({ value: v.pipe(v.string(), v.email()) }), args);
      },
      { value: "not a mail" },
    ],
  ]),
  ...one("ajv (async schema)", "ajv", [
    [
      "of the caller's argument",
      W.input(),
      async ({ args }) => {
        const { Ajv } = await import("ajv");
        const a = new Ajv();
        await a.compile({ $async: true, type: "object", properties: { value: { type: "string", maxLength: 3 } } })(
          args,
        );
      },
      { value: "not a mail" },
    ],
  ]),
  ...one("JSON.parse", "node", [
    ["of the caller's argument", W.input(), async ({ args }) => JSON.parse(args.value), { value: "{a: 1" }],
  ]),
  ...parseCases("yaml", "yaml", async ({ args }) => {
    const { parse } = await import("yaml");
    parse(args.value);
  }),
  ...parseCases("js-yaml", "js-yaml", async ({ args }) => {
    const y = await import("js-yaml");
    (y.load ?? y.default.load)(args.value);
  }),
  ...one("csv-parse", "csv-parse", [
    [
      "document of the caller",
      inputCase,
      async ({ args }) => {
        const { parse } = await import("csv-parse/sync");
        parse(args.value, { columns: true });
      },
      { value: 'a,b\n1,"2\n3,4,5' },
    ],
  ]),
  ...one("fast-xml-parser", "fast-xml-parser", [
    [
      "document of the caller",
      inputCase,
      async ({ args }) => {
        const { XMLParser } = await import("fast-xml-parser");
        new XMLParser().parse(args.value, true);
      },
      { value: "<a><b></a>" },
    ],
  ]),
  ...one("new URL()", "node", [
    ["of the caller's argument", W.input(), async ({ args }) => new URL(args.value), { value: "not a url" }],
  ]),
  ...one("jsonwebtoken", "jsonwebtoken", [
    [
      "expired",
      W.token,
      async () => {
        const { default: jwt } = await import("jsonwebtoken");
        jwt.verify(jwt.sign({ a: 1, exp: 1000 }, "k"), "k");
      },
    ],
    [
      "bad signature",
      W.token,
      async () => {
        const { default: jwt } = await import("jsonwebtoken");
        jwt.verify(jwt.sign({ a: 1 }, "k"), "other");
      },
    ],
  ]),
  ...one("jose", "jose", [
    [
      "expired",
      W.token,
      async () => {
        const { SignJWT, jwtVerify } = await import("jose");
        const k = new TextEncoder().encode("k".repeat(32));
        await jwtVerify(await new SignJWT({}).setProtectedHeader({ alg: "HS256" }).setExpirationTime(1000).sign(k), k);
      },
    ],
    [
      "bad signature",
      W.token,
      async () => {
        const { SignJWT, jwtVerify } = await import("jose");
        const k = new TextEncoder().encode("k".repeat(32));
        await jwtVerify(
          await new SignJWT({}).setProtectedHeader({ alg: "HS256" }).sign(k),
          new TextEncoder().encode("x".repeat(32)),
        );
      },
    ],
  ]),
  ...one("p-timeout", "p-timeout", [
    [
      "timeout",
      W.timeout,
      async () => {
        const { default: t } = await import("p-timeout");
        await t(sleep(2000, undefined, { ref: false }), { milliseconds: 100 });
      },
    ],
  ]),
  ...one("AbortSignal.timeout", "node", [
    ["timeout", W.timeout, async () => sleep(2000, undefined, { signal: AbortSignal.timeout(100) })],
    [
      "throwIfAborted",
      W.timeout,
      async () => {
        const s = AbortSignal.timeout(50);
        await sleep(100);
        s.throwIfAborted();
      },
    ],
  ]),
  ...one("AbortController.abort()", "node", [
    [
      "aborted by the handler",
      W.timeout,
      async () => {
        const c = new AbortController();
        setTimeout(() => c.abort(), 50);
        await sleep(2000, undefined, { signal: c.signal });
      },
    ],
  ]),
  ...one("p-retry", "p-retry", [
    [
      "AbortError('…')",
      W.bug,
      async () => {
        const { default: r, AbortError } = await import("p-retry");
        await r(
          () => {
            throw new AbortError("no use");
          },
          { retries: 2 },
        );
      },
    ],
    [
      "AbortError(of an axios 404)",
      W.notfound,
      async () => {
        const { default: r, AbortError } = await import("p-retry");
        const { default: axios } = await import("axios");
        await r(
          async () => {
            try {
              await axios.get(`http://127.0.0.1:${PORT}/generic/s404/x`);
            } catch (e) {
              throw new AbortError(e);
            }
          },
          { retries: 2 },
        );
      },
    ],
    [
      "retries used up on fetch refused",
      W.down,
      async () => {
        const { default: r } = await import("p-retry");
        await r(() => fetch(`http://127.0.0.1:${REFUSED}/`), { retries: 1, minTimeout: 20 });
      },
    ],
  ]),
  ...one("dns", "node", [
    [
      "lookup failure",
      {
        read: { ...W.config.read, moves: ["stop", "retry"] },
        write: { ...W.config.write, moves: ["stop", "refresh", "retry"] },
      },
      async () => fetch("http://no-such-host.invalid/"),
    ],
    [
      "dns.lookup failure",
      {
        read: { ...W.config.read, moves: ["stop", "retry"] },
        write: { ...W.config.write, moves: ["stop", "refresh", "retry"] },
      },
      async () => (await import("node:dns/promises")).lookup("no-such-host.invalid"),
    ],
  ]),
  ...one("TLS", "node", [
    ["self-signed, fetch", W.config, async () => fetch(`https://127.0.0.1:${TLS_PORT}/generic/ok/`)],
    [
      "self-signed, axios",
      W.config,
      async () => (await import("axios")).default.get(`https://127.0.0.1:${TLS_PORT}/generic/ok/`),
    ],
    ["HTTPS to an HTTP port, fetch", W.config, async () => fetch(`https://127.0.0.1:${PORT}/generic/ok/`)],
  ]),
];
// ---------- errors by which an author speaks to the caller: they must keep working ----------
const ownCases = [
  ...one("http-errors (author's words)", "http-errors", [
    [
      "404",
      W.notfound,
      async () => {
        const { default: e } = await import("http-errors");
        throw e(404, "There is no order 42.");
      },
    ],
    [
      "401",
      W.token,
      async () => {
        const { default: e } = await import("http-errors");
        throw e(401, "Sign in first.");
      },
    ],
    [
      "429",
      W.rate(),
      async () => {
        const { default: e } = await import("http-errors");
        throw e(429, "Slow down.", { headers: { "retry-after": "7" } });
      },
    ],
  ]),
  ...one("@hapi/boom (author's words)", "@hapi/boom", [
    [
      "404",
      W.notfound,
      async () => {
        const b = await import("@hapi/boom");
        throw b.notFound("There is no order 42.");
      },
    ],
    [
      "401",
      W.token,
      async () => {
        const b = await import("@hapi/boom");
        throw b.unauthorized("Sign in first.");
      },
    ],
  ]),
  ...one("TRPCError (author's words)", "@trpc/server", [
    [
      "NOT_FOUND",
      W.notfound,
      async () => {
        const { TRPCError } = await import("@trpc/server");
        throw new TRPCError({ code: "NOT_FOUND", message: "There is no order 42." });
      },
    ],
    [
      "UNAUTHORIZED",
      W.token,
      async () => {
        const { TRPCError } = await import("@trpc/server");
        throw new TRPCError({ code: "UNAUTHORIZED", message: "Sign in first." });
      },
    ],
  ]),
];
export const otherCases = [
  ...one("pg", "pg", pgCases),
  ...one("postgres", "postgres", postgresCases),
  ...one("mysql2", "mysql2", mysqlCases),
  ...one("node:sqlite", "node", nodeSqliteCases),
  ...one("better-sqlite3", "better-sqlite3", betterCases),
  ...one("@libsql/client", "@libsql/client", libsqlCases),
  ...one("drizzle-orm (pg)", "drizzle-orm", orm(drizzle)),
  ...one("knex (pg)", "knex", orm(knexRun)),
  ...one("sequelize (pg)", "sequelize", orm(sequelizeRun)),
  ...one("typeorm (pg)", "typeorm", orm(typeormRun)),
  ...one("mongodb", "mongodb", mongoCases),
  ...one("mongoose", "mongoose", mongooseCases),
  ...one("ioredis", "ioredis", ioCases),
  ...one("redis", "redis", nrCases),
  ...one("kafkajs", "kafkajs", kafkaCases),
  ...one("nodemailer", "nodemailer", mailCases),
  ...one("ssh2", "ssh2", sshCases),
  ...one("@grpc/grpc-js", "@grpc/grpc-js", grpcCases),
  ...one("@connectrpc/connect", "@connectrpc/connect", connectCases),
  ...one("@trpc/client", "@trpc/client", trpcCases),
  ...one("playwright-core", "playwright-core", pwCases),
  ...one("puppeteer-core", "puppeteer-core", ppCases),
  ...one("fs/promises", "node", fsCases),
  ...one("child_process", "node", cpCases),
  ...one("execa", "execa", execaCases),
  ...one("simple-git", "simple-git", gitCases),
  ...checkCases,
  ...ownCases,
];
// ---------- counterparts ----------
export async function startCounterparts() {
  const { default: pg } = await import("pg");
  const admin = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${POSTGRES}/postgres` });
  await admin.connect();
  if ((await admin.query("select 1 from pg_database where datname='app'")).rowCount === 0)
    await admin.query("create database app");
  await admin.query(
    "do $$ begin if not exists (select 1 from pg_roles where rolname='pwuser') then create role pwuser login password 'right'; end if; if not exists (select 1 from pg_roles where rolname='nobody_role') then create role nobody_role; end if; end $$",
  );
  await admin.end();
  const c = new pg.Client({ connectionString: PG });
  await c.connect();
  await c.query(
    "drop table if exists orders, customers, locked_row, ser; create table customers(id int primary key); insert into customers values (1); create table orders(id int primary key, email varchar(20) not null unique, qty int not null check (qty>0), customer int references customers(id)); insert into orders values (1,'ann@example.com',1,1); create table locked_row(i int); insert into locked_row values (1); create table ser(v int); insert into ser values (0)",
  );
  // holds a lock for as long as the harness runs
  await c.query("begin; select * from locked_row for update");
  const { SMTPServer } = await import("smtp-server");
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onAuth: (_a, _s, cb) => cb(Object.assign(new Error("Authentication failed for app"), { responseCode: 535 })),
    onRcptTo: (a, _s, cb) =>
      a.address.startsWith("nobody")
        ? cb(Object.assign(new Error("5.1.1 no such mailbox here"), { responseCode: 550 }))
        : a.address.startsWith("later")
          ? cb(Object.assign(new Error("4.7.1 greylisted, try again later"), { responseCode: 451 }))
          : cb(),
  });
  await new Promise((r) => smtp.listen(29053, "127.0.0.1", r));
  const { Server } = (await import("ssh2")).default;
  const { generateKeyPairSync } = await import("node:crypto");
  const key = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "pkcs1", format: "pem" },
  }).privateKey;
  const sshd = new Server({ hostKeys: [key] }, (k) => {
    k.on("authentication", (x) => x.reject(["publickey"]));
    k.on("error", () => {});
  });
  await new Promise((r) => sshd.listen(29054, "127.0.0.1", r));
  const net = await import("node:net");
  const silent = net.createServer((s) => s.on("error", () => {}));
  await new Promise((r) => silent.listen(29055, "127.0.0.1", r));
  const { default: grpc } = await import("@grpc/grpc-js");
  const gs = new grpc.Server();
  gs.addService(
    {
      call: {
        path: "/app.Items/Call",
        requestStream: false,
        responseStream: false,
        requestSerialize: (v) => Buffer.from(JSON.stringify(v)),
        requestDeserialize: (b) => JSON.parse(b),
        responseSerialize: (v) => Buffer.from(JSON.stringify(v)),
        responseDeserialize: (b) => JSON.parse(b),
      },
    },
    {
      call: ({ request }, cb) => {
        if (request.code === 99) return;
        cb({
          code: request.code,
          details:
            request.code === 3
              ? "due_date must be in the future."
              : request.code === 13 || request.code === 14
                ? `db ${PLANTED.dbHost} password=${PLANTED.dbPw}`
                : request.code === 16 || request.code === 7
                  ? `key ${PLANTED.apiKeyEcho} refused`
                  : "No item with id 42.",
        });
      },
    },
  );
  await new Promise((yes, no) =>
    gs.bindAsync("127.0.0.1:29050", grpc.ServerCredentials.createInsecure(), (e) => (e ? no(e) : yes())),
  );
  const { initTRPC, TRPCError } = await import("@trpc/server");
  const { createHTTPServer } = await import("@trpc/server/adapters/standalone");
  const t = initTRPC.create({ isDev: false });
  const fail = (code) => {
    if (code === "HANG") return new Promise(() => {});
    throw new TRPCError({
      code,
      message:
        code === "BAD_REQUEST"
          ? "due_date must be in the future."
          : code === "INTERNAL_SERVER_ERROR"
            ? `db ${PLANTED.dbHost} password=${PLANTED.dbPw}`
            : code === "UNAUTHORIZED" || code === "FORBIDDEN"
              ? `key ${PLANTED.apiKeyEcho} refused`
              : "No item with id 42.",
    });
  };
  const proc = t.procedure.input((v) => v);
  createHTTPServer({
    router: t.router({ get: proc.query(({ input }) => fail(input)), set: proc.mutation(({ input }) => fail(input)) }),
  }).listen(29052, "127.0.0.1");
}
