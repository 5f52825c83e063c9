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

/** Runs a script. */
export type RunScript = (key: string, args: string[]) => Promise<unknown>;

/** A script that is sent once to each server, and then called by its SHA-1. */
export function scriptOf(client: RedisClient, script: string): RunScript {
  const sha1 = sha1Of(script);
  return async (key, args) => {
    const options = { keys: [key], arguments: args };
    try {
      return await client.evalSha(await sha1, options);
    } catch (thrown) {
      // A server that was restarted, or another node of the cluster, does not know it.
      if (!(thrown instanceof Error) || !thrown.message.startsWith("NOSCRIPT")) throw thrown;
      return client.eval(script, options);
    }
  };
}

async function sha1Of(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-1", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
