import { isObject } from "@recourse/faults/internal-do-not-use";
import { type Cause, misbehave, provoke, type RawClientOptions } from "@recourse/faults/testing/peer";

/** One thing that a client does to provoke an error. */
export type CauseStep =
  /** The start of every session. */
  | { readonly initialize: "as usual" }
  | { readonly post: string; readonly headers?: Readonly<Record<string, string>> }
  /** An order at the control address. */
  | { readonly control: string };

/** What a client does to provoke an error, recorded while it is provoked. */
export async function stepsOf(cause: Cause): Promise<readonly CauseStep[]> {
  const peer = await misbehave({ dialect: "erlmcp", limits: cause.limits ?? {} });
  const steps: CauseStep[] = [];
  const watched = {
    url: peer.url,
    advanceClock(ms: number) {
      steps.push({ control: JSON.stringify({ advanceClockMs: ms }) });
      peer.advanceClock(ms);
    },
  };
  const recorder: RawClientOptions = {
    onSend(body, headers) {
      if (cause.initialize === undefined && isStart(body)) {
        if (steps.length === 0) steps.push({ initialize: "as usual" });
        return;
      }
      const post = textOf(body);
      steps.push(Object.keys(headers).length === 0 ? { post } : { post, headers });
    },
  };
  try {
    await provoke(cause, watched, recorder);
  } finally {
    await peer.close();
  }
  return steps;
}

const START = /^(?:notifications\/)?initialized?$/;

function isStart(body: unknown): boolean {
  return isObject(body) && START.test(String(body["method"]));
}

/** A body as one line. Long runs of one letter are counted, and bytes that are not text are shown as numbers. */
function textOf(body: unknown): string {
  if (body instanceof Uint8Array) return `bytes ${[...body].map((byte) => byte.toString(16)).join(" ")}`;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return text.replaceAll(/(\w)\1{99,}/g, (run, letter: string) => `${letter}${letter}${letter}… (${run.length} times)`);
}
