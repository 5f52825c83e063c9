import { appendFileSync } from "node:fs";
import { type ServeStdioOptions, serveStdio } from "./serve-stdio.ts";

/** Options of a peer on the stdin and stdout of this process. */
export interface StdioProcessOptions extends ServeStdioOptions {
  /**
   * A file to which one line per effect is written.
   *
   * @default none
   */
  readonly effectsFile?: string | undefined;
  /**
   * Ends the peer when it is aborted.
   *
   * @default the peer ends with its input
   */
  readonly signal?: AbortSignal | undefined;
}

/** Serves the client that started this process until it closes stdin. A misbehaviour may end the process. */
export async function serveThisProcess({ effectsFile, signal, ...options }: StdioProcessOptions): Promise<void> {
  const { stdin, stdout, stderr } = process;
  signal?.addEventListener("abort", () => stdin.destroy(), { once: true });
  const serving = serveStdio(options, {
    ...{ stdin, stdout, stderr },
    exit(how) {
      if (how === "SIGKILL") process.kill(process.pid, how);
      else process.exit(how);
    },
    onEffect(effect) {
      if (effectsFile !== undefined) appendFileSync(effectsFile, `${JSON.stringify(effect)}\n`);
    },
  });
  await serving.catch((thrown: unknown) => {
    // Reading ends with an error if stdin was destroyed by the signal.
    if (signal?.aborted !== true) throw thrown;
  });
}
