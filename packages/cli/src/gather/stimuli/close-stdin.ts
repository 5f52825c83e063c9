import { ABORTED } from "../conversation.ts";
import type { StdioConversation } from "../stdio-conversation.ts";
import type { Group } from "./group.ts";

/** The end of input. It comes last: a program that follows the protocol ends then. */
export const closeStdin: Group = {
  stimulus: "close-stdin",
  async run(talk) {
    const conversation = talk.conversation as StdioConversation;
    if (conversation.exit() !== undefined) return talk.leaveOut("close-stdin", "The program had already ended.");
    const answer = await conversation.closeInput();
    const because = conversation.ended();
    if (because === ABORTED) return talk.leaveOut("close-stdin", because);
    talk.keep({ stimulus: "close-stdin" }, { text: "", bytes: 0 }, answer);
  },
};
