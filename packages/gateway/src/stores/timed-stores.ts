import pg from "pg";
import type { StoreName } from "../call/observer.ts";
import type { Redis } from "./redis.ts";

/** What the stores are asked for, as metrics name it. The first that fits is taken. */
export const STORE_OPS = {
  redis: ["limits", "breakers", "sessions", "publish", "other"],
  // `connect` is the wait for a free connection.
  postgres: ["connect", "idempotency", "approvals", "keys", "counts", "incidents", "other"],
} as const satisfies Record<StoreName, readonly string[]>;

type RedisOp = (typeof STORE_OPS)["redis"][number];
type PostgresOp = (typeof STORE_OPS)["postgres"][number];

/** Receives how long one answer took, in ms. */
type OnAnswered<Op> = (op: Op, durationMs: number) => void;

const KEY_PREFIXES = [
  ["recourse:limits:", "limits"],
  ["recourse:breaker:", "breakers"],
  ["recourse:session:", "sessions"],
  ["recourse:caller-session:", "sessions"],
] as const satisfies readonly (readonly [string, RedisOp])[];

/** What the statements of a part name: its tables. */
const TABLE_NAMES = [
  // One statement makes the tables of all parts.
  ["gateway_schema", "other"],
  ["gateway_idempotency", "idempotency"],
  ["gateway_approval", "approvals"],
  ["gateway_key", "keys"],
  ["call_count", "counts"],
  ["caller_count", "counts"],
  ["count_ingest", "counts"],
  ["incident", "incidents"],
] as const satisfies readonly (readonly [string, PostgresOp])[];

/** Redis whose answers are timed, those that failed included. Messages that are received are not. */
export function timedRedis(redis: Redis, onAnswered: OnAnswered<RedisOp>): Redis {
  /** The answer stays as it is; nobody waits for the time of it. */
  const time = <T>(op: RedisOp, answer: Promise<T>): Promise<T> => {
    const startedMs = performance.now();
    const end = () => onAnswered(op, performance.now() - startedMs);
    answer.then(end, end);
    return answer;
  };
  return {
    ...redis,
    eval: (script, options) => time(keyOp(options.keys[0]), redis.eval(script, options)),
    evalSha: (sha1, options) => time(keyOp(options.keys[0]), redis.evalSha(sha1, options)),
    publish: (channel, message) => time("publish", redis.publish(channel, message)),
  };
}

function keyOp(key = ""): RedisOp {
  return KEY_PREFIXES.find(([prefix]) => key.startsWith(prefix))?.[1] ?? "other";
}

/** A callback of the driver: an error, or what was asked for. */
type DriverCallback = (error: unknown, ...values: unknown[]) => unknown;

/** A pool whose answers are timed, those that failed included. */
export function timedPool(options: pg.PoolConfig, onAnswered: OnAnswered<PostgresOp>): pg.Pool {
  /** The driver gives its answer to the last argument if that is a callback, else as a promise. */
  const time = (op: PostgresOp, args: readonly unknown[], run: (args: readonly unknown[]) => unknown): unknown => {
    const startedMs = performance.now();
    const end = () => onAnswered(op, performance.now() - startedMs);
    const last = args.at(-1);
    if (typeof last === "function") {
      const callback = last as DriverCallback;
      return run([
        ...args.slice(0, -1),
        (error: unknown, ...values: unknown[]) => {
          end();
          return callback(error, ...values);
        },
      ]);
    }
    const answer = run(args);
    if (answer instanceof Promise) answer.then(end, end);
    return answer;
  };

  // The types of the driver list every form of its arguments. These pass all of them on as they are.
  class TimedClient extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const { query } = this;
      this.query = ((...args: unknown[]) =>
        time(statementOp(args[0]), args, (given) => Reflect.apply(query, this, given))) as pg.Client["query"];
    }
  }
  const pool = new pg.Pool({ ...options, Client: TimedClient });
  const { connect } = pool;
  // Statements that need one connection only ask for it in the same way.
  pool.connect = ((...args: unknown[]) =>
    time("connect", args, (given) => Reflect.apply(connect, pool, given))) as pg.Pool["connect"];
  return pool;
}

/** Statements that were looked at before. Few are made of what is asked for, such as a search. */
const knownStatements = new Map<string, PostgresOp>();
const MAX_KNOWN_STATEMENTS = 1_000;

export function statementOp(statement: unknown): PostgresOp {
  const text = typeof statement === "string" ? statement : textOf(statement);
  const known = knownStatements.get(text);
  if (known !== undefined) return known;
  const op = TABLE_NAMES.find(([name]) => text.includes(name))?.[1] ?? "other";
  if (knownStatements.size >= MAX_KNOWN_STATEMENTS) knownStatements.clear();
  knownStatements.set(text, op);
  return op;
}

function textOf(statement: unknown): string {
  const text = statement instanceof Object && "text" in statement ? statement.text : undefined;
  return typeof text === "string" ? text : "";
}
