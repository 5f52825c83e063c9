import type { Command } from "../program/command.ts";
import { completionScript, SHELLS } from "../program/completion.ts";

/** `recourse completion`. It completes every command, itself among them. */
export const completionOf = (commands: () => readonly Command[]): Command => ({
  name: "completion",
  about: "Write a completion script for your shell",
  usage: `<${SHELLS.join(" | ")}>`,
  options: {},
  words: SHELLS,
  examples: [
    {
      line: "source <(recourse completion bash)",
      about: "For this session of bash. Put it into ~/.bashrc to keep it.",
    },
    {
      line: "source <(recourse completion zsh)",
      about: "For this session of zsh. Put it into ~/.zshrc, after compinit.",
    },
    { line: "recourse completion fish | source", about: "For this session of fish." },
  ],
  async run({ positionals }, io) {
    const shell = SHELLS.find((one) => one === positionals[0]);
    if (shell === undefined || positionals.length > 1) {
      const message = `Name one shell: ${SHELLS.join(", ")}.`;
      return { failure: { exit: "usage", code: "usage", message, fix: "recourse completion bash" } };
    }
    io.stdout.write(completionScript(shell, commands()));
    return { exit: "ok" };
  },
});
