import type { Exchange } from "../../recording/recording.ts";
import { gotText, rawAnswer, sentText, withoutPasswords } from "../../report/excerpt.ts";
import { printable } from "../../terminal/printable.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { wrap } from "../../terminal/wrap.ts";

/** The longest answer that is shown. `--json` has all that was kept. */
const MAX_TEXT = 8000;

/** One exchange in full, for a terminal. */
export function exchangeText(
  exchange: Exchange,
  { line, terminal }: { readonly line: string | undefined; readonly terminal: Terminal },
): string {
  const { styles, width } = terminal;
  const raw = rawAnswer(exchange);
  const part = (name: string, text: string) => [
    `  ${styles.bold(name)}`,
    ...wrap(printable(text.slice(0, MAX_TEXT)), { width, indent: "    " }),
    "",
  ];
  const lines = [
    ...part("sent", sentText(exchange)),
    ...part("got", gotText(exchange)),
    ...(raw === undefined || raw === "" ? [] : part("as it arrived", withoutPasswords(raw))),
    // A command must stay on one line, or it cannot be copied.
    ...(line === undefined ? [] : [`  ${styles.bold("by hand")}`, `    ${printable(line)}`, ""]),
  ];
  return `${lines.join("\n")}`;
}
