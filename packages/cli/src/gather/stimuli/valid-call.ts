import { LIMITS } from "../../wire/limits.ts";
import { overlapping } from "../overlapping.ts";
import type { Group } from "./group.ts";

/** Valid arguments, about things that do not exist. */
export const validCall: Group = {
  stimulus: "valid-call",
  async run(talk, { chosen, slow }) {
    const timeoutMs = slow ? LIMITS.slowCallMs : LIMITS.callMs;
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
