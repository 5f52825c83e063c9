import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { race, sleep, TIMED_OUT } from "@recourse/core/wire";
import { createClient, createCluster } from "@redis/client";
import { readAddress, StoreUnavailableError } from "./store-error.ts";

interface ScriptOptions {
  readonly keys: string[];
  readonly arguments: string[];
}

/** Redis, one server or a cluster. All that the gateway does there are scripts, and messages between replicas. */
export interface Redis {
  /** Whether all keys are on one server, so that a script may use any of them together. @default false */
  readonly isOneServer?: boolean;
  /** Scripts wait for their answer as long as the connection lasts: who runs one ends it when it is late. */
  eval(script: string, options: ScriptOptions): Promise<unknown>;
  evalSha(sha1: string, options: ScriptOptions): Promise<unknown>;
  /**
   * Receives the messages of a channel as long as Redis is open. Those that are sent while a connection is broken are lost. The
   * promise is resolved once the first message can come, or Redis is closed: what fails is tried again. It never rejects.
   */
  listen(channel: string, onMessage: (message: string) => void): Promise<void>;
  /** Sends a message to those who listen to a channel. It never rejects. */
  publish(channel: string, message: string): Promise<Published>;
}

/** What came of a message: `unheard` if it is certain that no replica listens, which a cluster never says. */
type Published = "sent" | "unheard" | "failed";

export interface OpenRedis {
  readonly redis: Redis;
  close(): void;
}

interface RedisOptions {
  readonly urls: readonly string[];
  readonly cluster: boolean;
  /** Receives errors of the connection after the start. */
  readonly onError: (error: unknown) => void;
}

/** A command that takes longer has failed; its caller continues without Redis. */
const COMMAND_TIMEOUT_MS = 100;
/** Commands that wait for an answer: a server that reads and says nothing does not fill the memory. */
const MAX_COMMANDS = 100_000;
const REDIS_CONNECT_MS = 5_000;
const MAX_RECONNECT_MS = 500;
/** The pause before listening is tried again; it doubles up to the second value. */
const FIRST_LISTEN_MS = 250;
const MAX_LISTEN_MS = 30_000;

/** Connects and checks. It rejects with an error that says what to do, and that contains no credential. */
export async function openRedis({ urls, cluster, onError }: RedisOptions): Promise<OpenRedis> {
  const [first = ""] = urls;
  let isStarted = false;
  const socket = {
    connectTimeout: REDIS_CONNECT_MS,
    // Only a connection that has worked is worth waiting for.
    reconnectStrategy: (retries: number) =>
      isStarted ? Math.min(MAX_RECONNECT_MS, 50 * 2 ** retries) : (false as const),
  };
  const common = {
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_COMMANDS,
    // The time-out of the client makes a timer for every command, and ends only those that are not sent yet.
    commandOptions: { timeout: 0 },
  };
  const client = cluster
    ? createCluster({
        ...common,
        rootNodes: urls.map((url) => ({ url })),
        defaults: {
          ...common,
          ...readCredentials(first),
          socket: { ...socket, ...(isTls(first) && { tls: true as const }) },
        },
      })
    : createClient({ ...common, url: first, socket });
  client.on("error", (error: unknown) => {
    if (isStarted) onError(error);
  });
  const where = `Redis at ${urls.map(readAddress).join(", ")}`;
  try {
    await client.connect();
    isStarted = true;
    // A connection that listens does nothing else, so there is one for all channels.
    const listener = client.duplicate();
    listener.on("error", onError);
    let listening: Promise<unknown> | undefined;
    let isClosed = false;
    const evaluate: Redis["eval"] = (script, options) => client.eval(script, options);
    await check(evaluate);
    const redis: Redis = {
      isOneServer: !cluster && (await hasOneServer(evaluate)),
      eval: evaluate,
      evalSha: (sha1, options) => client.evalSha(sha1, options),
      async listen(channel, onMessage) {
        listening ??= listener.connect();
        for (let pauseMs = FIRST_LISTEN_MS; !isClosed; pauseMs = Math.min(MAX_LISTEN_MS, pauseMs * 2)) {
          try {
            await listening;
            await listener.subscribe(channel, onMessage);
            return;
          } catch (cause) {
            if (!isClosed) onError(cause);
          }
          // The client subscribes again after a break only to what it was subscribed to before.
          await wait(pauseMs, undefined, { ref: false });
        }
      },
      async publish(channel, message) {
        try {
          const heard = await answerInTime(client.publish(channel, message));
          return heard === 0 && !cluster ? "unheard" : "sent";
        } catch {
          return "failed";
        }
      },
    };
    return {
      redis,
      close() {
        isClosed = true;
        client.destroy();
        if (listening !== undefined) listener.destroy();
      },
    };
  } catch (cause) {
    isStarted = false;
    try {
      client.destroy();
    } catch {
      // It was never connected.
    }
    throw new StoreUnavailableError(where, cause);
  }
}

/** The answer of a command; it rejects if there is none in time. */
async function answerInTime<T>(command: Promise<T>): Promise<T> {
  const outcome = await race(command, { ms: COMMAND_TIMEOUT_MS, sleep });
  if (outcome === TIMED_OUT) throw new Error(`Redis did not answer within ${COMMAND_TIMEOUT_MS} ms`);
  return outcome as T;
}

/** The address of a node of a cluster is found out; who asks there is not. */
function readCredentials(url: string): { username?: string; password?: string } {
  const { username, password } = new URL(url);
  return {
    ...(username !== "" && { username: decodeURIComponent(username) }),
    ...(password !== "" && { password: decodeURIComponent(password) }),
  };
}

function isTls(url: string): boolean {
  return new URL(url).protocol === "rediss:";
}

/** Asks for what the gateway relies on: the right to run scripts and to read the state of the server. */
async function check(evaluate: Redis["eval"]): Promise<void> {
  const ask = () => evaluate("return redis.call('INFO', 'memory')", { keys: ["recourse:check"], arguments: [] });
  // The first command of a process can be slow for reasons of its own.
  await ask().catch(ask).catch(ask);
}

/** So many keys are looked up, to meet more than one server if there are several. */
const LOOKED_UP_KEYS = 32;
const READ_SERVER = `local info = redis.call('INFO', 'server')
return { string.match(info, 'redis_mode:(%w+)') or '', string.match(info, 'run_id:(%w+)') or '' }`;

/** What looks like one server may be a proxy in front of several: then keys are answered for by different ones. */
export async function hasOneServer(evaluate: Redis["eval"]): Promise<boolean> {
  const keys = Array.from({ length: LOOKED_UP_KEYS }, (_, index) => `recourse:check:${index}`);
  const answers = await Promise.allSettled(keys.map((key) => evaluate(READ_SERVER, { keys: [key], arguments: [] })));
  const servers = new Set(answers.map((one) => (one.status === "fulfilled" ? String(one.value) : "")));
  const [server = ""] = servers;
  return servers.size === 1 && /^standalone,\w+$/.test(server);
}

/** Sessions of upstreams that all replicas share. Redis away means: no session is known, and none is kept. */
export interface SessionStore {
  /** What was kept for a key; undefined if nothing was. */
  find(key: string): Promise<string | undefined>;
  /** Keeps a value in the place of `before`, or of nothing. Gives the value that counts: another replica may have been first. */
  keep(key: string, value: string, before: string | undefined): Promise<string>;
  /** The session is used, so it is kept longer. */
  touch(key: string): void;
  /** Forgets a value that no replica has used for a time. True if it was forgotten, so that it can be ended. */
  forget(key: string, value: string, idleMs: number): Promise<boolean>;
}

interface SessionStoreOptions {
  readonly redis: Redis;
  readonly ttlMs: number;
  readonly onSwitch: (state: "away" | "back") => void;
}

const FIND_SESSION = "return redis.call('GET', KEYS[1])";
const KEEP_SESSION = `local now = redis.call('GET', KEYS[1])
if now and now ~= ARGV[2] then return now end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
return ARGV[1]`;
const TOUCH_SESSION = "return redis.call('PEXPIRE', KEYS[1], ARGV[1])";
const FORGET_SESSION = `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if redis.call('PTTL', KEYS[1]) > ARGV[2] - ARGV[3] then return 0 end
return redis.call('DEL', KEYS[1])`;

/** Sessions in Redis. No method rejects. */
export function redisSessions({ redis, ttlMs, onSwitch }: SessionStoreOptions): SessionStore {
  let isAway = false;
  async function run(script: string, key: string, ...args: string[]): Promise<unknown> {
    try {
      const answer = await answerInTime(redis.eval(script, { keys: [sessionKey(key)], arguments: args }));
      if (isAway) onSwitch("back");
      isAway = false;
      return answer;
    } catch {
      if (!isAway) onSwitch("away");
      isAway = true;
      return undefined;
    }
  }
  return {
    async find(key) {
      const found = await run(FIND_SESSION, key);
      return typeof found === "string" ? found : undefined;
    },
    async keep(key, value, before) {
      const kept = await run(KEEP_SESSION, key, value, before ?? "", String(ttlMs));
      return typeof kept === "string" ? kept : value;
    },
    touch(key) {
      void run(TOUCH_SESSION, key, String(ttlMs));
    },
    async forget(key, value, idleMs) {
      return (await run(FORGET_SESSION, key, value, String(ttlMs), String(idleMs))) === 1;
    },
  };
}

/** Keys are digests: they contain ids of callers. */
function sessionKey(key: string): string {
  return `recourse:session:${createHash("sha256").update(key).digest("base64url")}`;
}
