import { arrayAt, isObject, memberAt, objectAt, stringAt } from "@recourse/faults/internal-do-not-use";
import type { Answer, WrongField } from "../../recording/recording.ts";
import { overlapping } from "../overlapping.ts";
import type { ChosenTool } from "../safety/choose-tools.ts";
import { RUNGS, wrongSet } from "../schema/wrong-sets.ts";
import type { Talk } from "../talk.ts";
import type { Group } from "./group.ts";

/**
 * The ladder of wrong arguments. A server that does not look at the types of its arguments may run with whatever is
 * missing, so the other rungs are sent only after the first was refused as what it is.
 */
export const wrongArguments: Group = {
  stimulus: "wrong-arguments",
  async run(talk, { chosen }) {
    await overlapping(chosen.map((tool) => () => climb(talk, tool)));
  },
};

async function climb(talk: Talk, tool: ChosenTool): Promise<void> {
  for (const rung of RUNGS) {
    const set = wrongSet(rung, tool);
    // Without a first rung nothing is known about the server's checks.
    if (set === undefined && rung === "type") return;
    if (set === undefined) continue;
    const label = { stimulus: "wrong-arguments", variant: rung, tool: tool.name, wrong: set.wrong } as const;
    const answer = await talk.request(label, "tools/call", { name: tool.name, arguments: set.arguments });
    if (answer === undefined || (rung === "type" && !isRefusal(answer, set.wrong))) return;
  }
}

const WORDS =
  /invalid|expected|must (?:be|match|not)|required|validation|not of type|type error|schema|should be|wrong type/i;
/** Texts of a runtime: the arguments were used, not looked at. */
const RUNTIME = /is not a function|[Cc]annot read propert|is not iterable|undefined is not|\bE[A-Z]{4,}\b|Traceback/;

/** Whether wrong types were refused as wrong arguments, and not by chance further inside. */
export function isRefusal(answer: Answer, wrong: readonly WrongField[]): boolean {
  if (answer.kind !== "message") return false;
  const error = objectAt(answer.message, "error");
  const result = objectAt(answer.message, "result");
  if (error === undefined && memberAt(result, "isError") !== true) return false;
  const text = JSON.stringify(error ?? result);
  if (RUNTIME.test(text)) return false;
  if (memberAt(error, "code") === -32602) return true;
  const own = [
    stringAt(error, "message") ?? "",
    ...arrayAt(result, "content").map((one) => stringAt(one, "text") ?? ""),
  ];
  const rest = JSON.stringify([
    memberAt(error, "data"),
    memberAt(result, "error"),
    memberAt(result, "structuredContent"),
    memberAt(result, "_meta"),
  ]);
  const said = `${own.join("\n")}\n${isObject(error) || isObject(result) ? rest : ""}`;
  return WORDS.test(said) && wrong.some(({ field }) => said.includes(field));
}
