// What a client sees of each failure, with a bare and a guarded server, over HTTP and over stdio.

import { createFailingServer, FAILING_SECRET } from "@recourse/test-kit/failing-server";
import {
  type AnyClient,
  connectHttpPair,
  connectStdioPair,
  type Era,
  type SdkPair,
  sdkVersion,
} from "@recourse/test-kit/sdk-pairs";
import { findLeaks } from "@recourse/testing";
import { type Fault, readFault } from "../../../src/index.ts";
import { ABORTED, race, sleep, TIMED_OUT } from "../../../src/wire/waiting.ts";
import { CASES } from "./cases.ts";

/** The transports. */
export const TRANSPORTS = ["http", "stdio"] as const;

/** One server and its client. */
export interface Variant {
  readonly era: Era;
  readonly transport: (typeof TRANSPORTS)[number];
  readonly guarded: boolean;
}

/** What a client saw of one failure. */
export interface Observation {
  /** A leak, no answer at all, a success, an error text of the SDK, or a fault. */
  readonly verdict: "LEAK" | "HANG" | "ok" | "text" | "fault";
  readonly reason?: string | undefined;
  readonly code?: number | undefined;
  /** HTTP status. */
  readonly status?: number | undefined;
}

/** How long a bare server may take that often never answers. Where it takes longer, only what is printed differs. */
const BARE_MS = 200;

/** Runs every case that exists in an era, one after another over one connection. */
export async function observeCases(variant: Variant): Promise<Map<string, Observation>> {
  const pair = await connect(variant);
  const observations = new Map<string, Observation>();
  try {
    // Waits until the process has started, so that its start does not count.
    await pair.client.listTools();
    for (const { name, ask, expects, mayHang = false } of CASES) {
      if (expects[variant.era] === undefined) continue;
      observations.set(name, await observe(pair, ask, mayHang && !variant.guarded));
    }
  } finally {
    await pair.close();
  }
  return observations;
}

function connect({ era, transport, guarded }: Variant): Promise<SdkPair> {
  const version = sdkVersion(era);
  if (transport === "http") return connectHttpPair(era, () => createFailingServer(version, { guarded }));
  return connectStdioPair(era, new URL(import.meta.resolve("@recourse/test-kit/failing-server-stdio")), [
    version,
    guarded ? "guarded" : "bare",
  ]);
}

interface WireMessage {
  readonly result?: { readonly isError?: boolean; readonly _meta?: Readonly<Record<string, unknown>> };
  readonly error?: { readonly code: number; readonly data?: Readonly<Record<string, unknown>> };
}

async function observe(
  pair: SdkPair,
  ask: (client: AnyClient) => Promise<unknown>,
  mayHang: boolean,
): Promise<Observation> {
  const answered = ask(pair.client).then(
    () => undefined,
    (error: unknown) => error as { readonly message?: string; readonly data?: { readonly text?: string } },
  );
  const limits = { ...(mayHang && { ms: BARE_MS }), sleep };
  const error = await race(answered, limits);
  if (error === TIMED_OUT || error === ABORTED) return { verdict: "HANG" };
  const { message, status } = pair.take();
  // For an answer with another status the client gives only the text of the body.
  const wire = (message ?? JSON.parse(error?.data?.text ?? "{}")) as WireMessage;
  const code = wire.error?.code;
  const codes = { code, status };
  if (findLeaks([wire, error?.message], [FAILING_SECRET]).length > 0) return { verdict: "LEAK", ...codes };
  const reason = reasonIn(wire);
  if (reason !== undefined) return { verdict: "fault", reason, ...codes };
  return { verdict: code === undefined && wire.result?.isError !== true ? "ok" : "text", ...codes };
}

function reasonIn({ result, error }: WireMessage): string | undefined {
  // The official client recognises a missing resource by data that is exactly its URI.
  if (error?.data !== undefined && Object.keys(error.data).join() === "uri") return "resource/not_found";
  const fault: Fault | undefined = readFault((error?.data ?? result?._meta)?.["recourse/fault"]);
  return fault?.reason;
}
