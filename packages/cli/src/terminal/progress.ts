import type { Output } from "./output.ts";
import { cutTo, widthOf } from "./width.ts";

/** Says what the program is doing. */
export interface Progress {
  /** What happens now, in a few words. */
  step(text: string): void;
  /** Removes the line. Call it before the result is written. */
  done(): void;
}

/** How progress is shown: a line that is drawn again, plain lines, or not at all. */
export type ProgressMode = "line" | "lines" | "silent";

/** Reads the mode from the options of every command. */
export function progressMode(
  output: Pick<Output, "isTTY">,
  { quiet, verbose }: { readonly quiet?: unknown; readonly verbose?: unknown },
): ProgressMode {
  if (quiet === true) return "silent";
  if (verbose === true) return "lines";
  return output.isTTY === true ? "line" : "silent";
}

/** Progress on `output`, which is stderr. */
export function createProgress(output: Output, mode: ProgressMode): Progress {
  let drawn = false;
  return {
    step(text) {
      if (mode === "lines") output.write(`${text}\n`);
      if (mode !== "line") return;
      // One column less: some terminals begin a new line when the last column is used.
      output.write(`\r\u001b[2K${cutTo(text, widthOf(output) - 1)}`);
      drawn = true;
    },
    done() {
      if (drawn) output.write("\r\u001b[2K");
      drawn = false;
    },
  };
}
