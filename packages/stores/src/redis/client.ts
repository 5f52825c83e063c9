/** The keys and arguments of a script. */
export interface RedisScriptOptions {
  /** The keys that it uses. */
  readonly keys: string[];
  /** Its arguments. */
  readonly arguments: string[];
}

/** A connection: a client, pool, cluster or sentinel of `@redis/client` (`redis`), or anything with these two methods. */
export interface RedisClient {
  /** Runs a script that the server knows by its SHA-1. */
  evalSha(sha1: string, options: RedisScriptOptions): Promise<unknown>;
  /** Runs a script; the server then knows it. */
  eval(script: string, options: RedisScriptOptions): Promise<unknown>;
}

/** Runs a script on the node that owns its keys. */
export type RunScript = (keys: string[], args: string[]) => Promise<unknown>;

/** While the keys of one script are moving to another node, so long is waited, and so often. */
const TRY_AGAIN_MS = 2;
const MAX_TRIES = 20;

/** A script that is sent once to each server, and then called by its SHA-1. */
export function redisScript(client: RedisClient, script: string): RunScript {
  let sha1: string | undefined;
  const known = sha1Of(script).then((text) => {
    sha1 = text;
  });
  const run = (keys: string[], args: string[]): Promise<unknown> => {
    const options = { keys, arguments: args };
    if (sha1 === undefined) return known.then(() => run(keys, args));
    return client.evalSha(sha1, options);
  };
  const again = async (thrown: unknown, keys: string[], args: string[]): Promise<unknown> => {
    for (let tries = 0, last = thrown; ; tries++) {
      const code = last instanceof Error ? last.message.split(" ", 1)[0] : undefined;
      if (code === "TRYAGAIN" && tries < MAX_TRIES) await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
      else if (code !== "NOSCRIPT" || tries >= MAX_TRIES) throw last;
      try {
        // A server that was restarted, or another node of the cluster, does not know the script.
        return await (code === "NOSCRIPT" ? client.eval(script, { keys, arguments: args }) : run(keys, args));
      } catch (cause) {
        last = cause;
      }
    }
  };
  return (keys, args) => run(keys, args).catch((thrown: unknown) => again(thrown, keys, args));
}

async function sha1Of(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-1", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
