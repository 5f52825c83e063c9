import type { RedisClient } from "../client.ts";
import { redisScript } from "../run-script.ts";
import { LIMIT_SCRIPTS } from "./scripts.ts";

/** So many keys are looked up, to meet most nodes of a cluster. */
const KEYS = 16;

/** Looks whether the nodes are set up so that limits hold. Gives a sentence for each thing that is not. */
export async function checkServer(client: RedisClient, prefix: string): Promise<readonly string[]> {
  const run = redisScript(client, LIMIT_SCRIPTS.policy);
  const warnings = new Set<string>();
  const keys = Array.from({ length: KEYS }, (_, index) => `${prefix}{check-${index}}`);
  await Promise.all(
    keys.map(async (key) => {
      try {
        const reply = await run([key], []);
        const policy = reply instanceof Uint8Array ? new TextDecoder().decode(reply) : String(reply);
        if (policy === "noeviction") return;
        warnings.add(
          `Redis has maxmemory-policy ${policy}: a bucket that is evicted comes back full. Use noeviction for limits.`,
        );
      } catch (cause) {
        warnings.add(warningOf(cause));
      }
    }),
  );
  return [...warnings];
}

function warningOf(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  if (/NOPERM|permission|can't run this command/i.test(text)) {
    return "The user of Redis may not run INFO in scripts, so that no new bucket can be made. Grant it with +info.";
  }
  return `Redis could not be checked: ${text}`;
}
