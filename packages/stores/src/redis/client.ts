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
