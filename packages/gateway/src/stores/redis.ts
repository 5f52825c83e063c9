import { createClient, createCluster } from "@redis/client";
import { addressOf, StoreUnavailableError } from "./store-error.ts";

/** The keys and arguments of a script. */
interface ScriptOptions {
  readonly keys: string[];
  readonly arguments: string[];
}

/** Redis, one server or a cluster. All that the gateway does there are scripts, and messages between replicas. */
export interface Redis {
  eval(script: string, options: ScriptOptions): Promise<unknown>;
  evalSha(sha1: string, options: ScriptOptions): Promise<unknown>;
  /** Receives the messages of a channel as long as Redis is open. Those that are sent while a connection is broken are lost. */
  listen(channel: string, onMessage: (message: string) => void): void;
}

/** A connection that is open. */
export interface OpenRedis {
  readonly redis: Redis;
  close(): void;
}

export interface RedisOptions {
  readonly urls: readonly string[];
  readonly cluster: boolean;
  /** Receives errors of the connection after the start. */
  readonly onError: (error: unknown) => void;
}

/** A command that takes longer has failed; its caller goes on without Redis. */
const COMMAND_TIMEOUT_MS = 100;
const CONNECT_TIMEOUT_MS = 5_000;
const MAX_RECONNECT_MS = 500;

/** Connects and checks. It rejects with an error that says what to do, and that contains no credential. */
export async function openRedis({ urls, cluster, onError }: RedisOptions): Promise<OpenRedis> {
  const [first = ""] = urls;
  let isStarted = false;
  const socket = {
    connectTimeout: CONNECT_TIMEOUT_MS,
    // Only a connection that has worked is worth waiting for.
    reconnectStrategy: (retries: number) =>
      isStarted ? Math.min(MAX_RECONNECT_MS, 50 * 2 ** retries) : (false as const),
  };
  const common = { disableOfflineQueue: true, commandOptions: { timeout: COMMAND_TIMEOUT_MS } };
  const client = cluster
    ? createCluster({
        ...common,
        rootNodes: urls.map((url) => ({ url })),
        defaults: {
          ...common,
          ...credentialsOf(first),
          socket: { ...socket, ...(isTls(first) && { tls: true as const }) },
        },
      })
    : createClient({ ...common, url: first, socket });
  client.on("error", (error: unknown) => {
    if (isStarted) onError(error);
  });
  const where = `Redis at ${urls.map(addressOf).join(", ")}`;
  try {
    await client.connect();
    isStarted = true;
    const listeners: { destroy(): void }[] = [];
    const redis: Redis = {
      eval: (script, options) => client.eval(script, options),
      evalSha: (sha1, options) => client.evalSha(sha1, options),
      listen(channel, onMessage) {
        // A connection that listens does nothing else.
        const listener = client.duplicate();
        listeners.push(listener);
        listener.on("error", onError);
        const listening = async () => {
          await listener.connect();
          await listener.subscribe(channel, onMessage);
        };
        listening().catch(onError);
      },
    };
    await check(redis);
    return {
      redis,
      close() {
        for (const one of [client, ...listeners]) one.destroy();
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

/** The address of a node of a cluster is found out; who asks there is not. */
function credentialsOf(url: string): { username?: string; password?: string } {
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
async function check(redis: Redis): Promise<void> {
  const ask = () => redis.eval("return redis.call('INFO', 'memory')", { keys: ["recourse:check"], arguments: [] });
  // The first command of a process can be slow for reasons of its own.
  await ask().catch(ask).catch(ask);
}
