import { overlapping } from "../overlapping.ts";
import type { Group } from "./group.ts";

/** Valid arguments, about things that do not exist. */
export const validCall: Group = {
  stimulus: "valid-call",
  async run(talk, { chosen, slow }) {
    const { slowCallMs, callMs } = talk.conversation.waits;
    const timeoutMs = slow ? slowCallMs : callMs;
    await overlapping(
      chosen.map(
        ({ name, valid }) =>
          () =>
            talk.request(
              { stimulus: "valid-call", tool: name },
              "tools/call",
              { name, arguments: valid },
              { timeoutMs },
            ),
      ),
    );
  },
};
