// What a client sees of each failure, bare and guarded, over real HTTP and over real stdio.
import { type Fault, readFault } from "../../../src/index.ts";
import { findLeaks } from "../../../src/testing/no-leak.ts";
import { type AnyClient, type Era, httpPairOf, type Pair, stdioPairOf, versionOf } from "../peers.ts";
import { CASES } from "./cases.ts";
import { failing, SECRET } from "./server.ts";

export const WIRES = ["http", "stdio"] as const;

/** One server and its client. */
export interface Variant {
  readonly era: Era;
  readonly wire: (typeof WIRES)[number];
  readonly guarded: boolean;
}

/** What a client saw: a leak, nothing at all, a success, an answer of the SDK's own, or a fault. */
export interface Seen {
  readonly verdict: "LEAK" | "HANG" | "ok" | "text" | "fault";
  readonly reason?: string | undefined;
  readonly code?: number | undefined;
  /** HTTP status. */
  readonly status?: number | undefined;
}

/** A guarded server must answer; of a bare one that has not answered after this long it is known that it never does. */
const PATIENCE_MS = { guarded: 20_000, bare: 1_500 } as const;

/** Runs every case that an era knows, one after another over one connection. */
export async function seenOf(variant: Variant): Promise<Map<string, Seen>> {
  const pair = await connected(variant);
  const patienceMs = PATIENCE_MS[variant.guarded ? "guarded" : "bare"];
  const seen = new Map<string, Seen>();
  try {
    // A process takes a while to start, and that is not what is looked at.
    await pair.client.listTools();
    for (const { name, ask, expects } of CASES) {
      if (expects[variant.era] !== undefined) seen.set(name, await look(pair, ask, patienceMs));
    }
  } finally {
    await pair.close();
  }
  return seen;
}

function connected({ era, wire, guarded }: Variant): Promise<Pair> {
  const version = versionOf(era);
  if (wire === "http") return httpPairOf(era, () => failing(version, guarded));
  return stdioPairOf(era, new URL("child.ts", import.meta.url), [version, guarded ? "guarded" : "bare"]);
}

interface Message {
  readonly result?: { readonly isError?: boolean; readonly _meta?: Readonly<Record<string, unknown>> };
  readonly error?: { readonly code: number; readonly data?: Readonly<Record<string, unknown>> };
}

async function look(pair: Pair, ask: (client: AnyClient) => Promise<unknown>, patienceMs: number): Promise<Seen> {
  const answered = ask(pair.client).then(
    () => undefined,
    (error: unknown) => error as { readonly message?: string; readonly data?: { readonly text?: string } },
  );
  let timer: NodeJS.Timeout | undefined;
  const hang = new Promise<"HANG">((resolve) => {
    timer = setTimeout(resolve, patienceMs, "HANG");
  });
  const error = await Promise.race([answered, hang]);
  clearTimeout(timer);
  if (error === "HANG") return { verdict: "HANG" };
  const { message, status } = pair.take();
  // The client keeps the body of an answer with another status to itself, but for the text of it.
  const wire = (message ?? JSON.parse(error?.data?.text ?? "{}")) as Message;
  const code = wire.error?.code;
  const seen = { code, status };
  if (findLeaks([wire, error?.message], [SECRET]).length > 0) return { verdict: "LEAK", ...seen };
  const reason = reasonIn(wire);
  if (reason !== undefined) return { verdict: "fault", reason, ...seen };
  return { verdict: code === undefined && wire.result?.isError !== true ? "ok" : "text", ...seen };
}

function reasonIn({ result, error }: Message): string | undefined {
  // The official client knows a missing resource by data that is exactly its URI.
  if (error?.data !== undefined && Object.keys(error.data).join() === "uri") return "resource/not_found";
  const fault: Fault | undefined = readFault((error?.data ?? result?._meta)?.["recourse/fault"]);
  return fault?.reason;
}
