import type { Revision } from "@recourse/core/wire";
import type { Upstream } from "../../../src/call/upstream.ts";
import { FairPool } from "../../../src/limits/fair-pool.ts";
import { createHttpUpstream } from "../../../src/upstreams/http/upstream.ts";
import { httpUpstream } from "../../support/config.ts";
import { kept } from "./world.ts";

export interface TestUpstream {
  readonly name: string;
  readonly url: string;
  readonly era: Revision;
  readonly prefix?: string;
}

/** An upstream that is reached by HTTP. It is closed when the test has ended. */
export function upstreamAt({ name, url, era, prefix = `${name}__` }: TestUpstream): Upstream {
  const config = httpUpstream(url, { name, era, prefix });
  if (config.kind !== "http") throw new Error("not reached by HTTP");
  return kept(
    createHttpUpstream(config, {
      maxAnswerBytes: 16_777_216,
      memory: new FairPool({ capacity: 67_108_864, least: 67_108_864 }),
      client: { name: "test", version: "1.0.0" },
      sessions: undefined,
      onNegotiated: () => {},
    }),
  );
}
