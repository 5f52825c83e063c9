// A command that gives a text to the command line through standard input. The text may come from a link of a stranger, and the
// command is pasted into a shell, so no part of the text may end the here-document or reach the terminal as a key.
import { showHidden } from "../format/foreign.ts";

const EXPLAIN = "npx -y @recourse/cli explain";

/** The command, for `sh`, `bash` and `zsh`. */
export function writeAgentCommand(text: string): string {
  const lines = typeable(text);
  const end = unusedWord("END", lines);
  if (!lines.includes("!")) return `${EXPLAIN} <<'${end}'\n${lines}\n${end}\n`;
  // Some interactive shells replace what follows an exclamation mark, also here. Within quotes they do not.
  const mark = unusedWord("BANG", lines);
  return `sed 's/${mark}/!/g' <<'${end}' | ${EXPLAIN}\n${lines.replaceAll("!", mark)}\n${end}\n`;
}

/** The text without keys: a terminal takes a control character for one, such as the one that ends the input. */
function typeable(text: string): string {
  return showHidden(text.replaceAll(/\r\n?/g, "\n").replaceAll("\t", "    "));
}

/** A word that the text does not hold anywhere. */
function unusedWord(word: string, text: string): string {
  let unused = word;
  for (let count = 1; text.includes(unused); count += 1) unused = `${word}_${count}`;
  return unused;
}
