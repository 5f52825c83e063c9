import type { Fault } from "@recourse/core";
import { type JsonObject, stringAt } from "@recourse/core/wire";
import { blocksIn, type LogBlock, type LogText, looksLikeJson, valueInBlock } from "./blocks.ts";
import { failureInBlock, failureInValue, loggedMessages } from "./failures.ts";
import { incidentInText, incidentsInValue, timeInValue } from "./incidents.ts";
import { readLogTime, splitPrefix } from "./line-prefix.ts";
import {
  createLogTally,
  type FailureTally,
  type LogPlace,
  type LogProgress,
  type LogTally,
  type SkipReason,
} from "./tally.ts";

/** A fault that was counted, with the message that carries it and the request that it answers. */
export interface CountedFault {
  /** The fault. */
  readonly fault: Fault;
  /** The message. @default none: the fault is not from a message */
  readonly body?: JsonObject;
  /** The method of the request. @default none: the log does not have the request */
  readonly method?: string;
  /** The tool that was called. @default none: no tool was called, or the log does not have the request */
  readonly tool?: string;
}

/** Options of `groupFailures`. */
export interface GroupFailuresOptions {
  /** Gets each fault that is counted. @default none */
  readonly onFault?: (counted: CountedFault) => void;
  /** Gets how much was read, after each entry of the log. @default none */
  readonly onProgress?: (progress: LogProgress) => void;
}

/** Where failures are counted. */
interface Counting {
  readonly tally: LogTally;
  readonly onFault: (counted: CountedFault) => void;
}

/**
 * Finds the failures in a log and groups those with the same cause: incidents of Recourse, messages of MCP, and failures that
 * lines of text are about. The texts in the groups are those of the log: clean them before you show them.
 *
 * @example
 * const { failures, groups } = await groupFailures(await readFile("server.log", "utf8"));
 * for (const { count, failure, line } of groups) console.log(count, failure.fault?.reason ?? failure.cause, line);
 */
export async function groupFailures(
  log: LogText,
  { onFault = () => {}, onProgress }: GroupFailuresOptions = {},
): Promise<FailureTally> {
  const tally = createLogTally();
  for await (const block of blocksIn(log)) {
    tally.addLines(block.count, countFailures(block, { tally, onFault }));
    onProgress?.(tally.progress());
  }
  return tally.summary();
}

/** Returns why the block is skipped, if there is nothing in it. */
function countFailures(block: LogBlock, { tally, onFault }: Counting): "understood" | SkipReason {
  if (block.cut) return "tooLong";
  const { line, lastLine } = block;
  const { stamp } = splitPrefix(block.texts[0] ?? "");
  const logged = incidentInText(block.texts);
  if (logged !== undefined) {
    if (tally.addIncident(logged, { line, lastLine, at: readLogTime(stamp) }) && logged.fault !== undefined)
      onFault({ fault: logged.fault });
    return "understood";
  }
  const found = valueInBlock(block);
  const at = found === undefined ? undefined : (readLogTime(stamp) ?? timeInValue(found.value));
  if (found !== undefined && countJsonValue(found.value, { line, lastLine, at }, { tally, onFault }))
    return "understood";
  const failure = (found?.isWhole === true ? failureInValue(found.value) : undefined) ?? failureInBlock(block);
  if (failure !== undefined) {
    tally.addText(failure, {
      line,
      lastLine,
      at: at ?? readLogTime(stamp),
      upstream: stringAt(found?.value, "upstream"),
    });
    if (failure.fault !== undefined) onFault({ fault: failure.fault });
    return "understood";
  }
  if (found?.isWhole === true) return "json";
  return looksLikeJson(block.texts[0] ?? "") ? "malformed" : "text";
}

function countJsonValue(value: unknown, place: LogPlace, { tally, onFault }: Counting): boolean {
  // An incident of a gateway may hold the upstream's own record: that is the same failure.
  const [incident] = incidentsInValue(value);
  if (incident !== undefined) {
    if (tally.addIncident(incident, place) && incident.fault !== undefined) onFault({ fault: incident.fault });
    return true;
  }
  let any = false;
  for (const message of loggedMessages(value)) {
    any = true;
    const { failure, ...request } = tally.addMessage(message, place) ?? {};
    if (failure?.fault !== undefined) onFault({ fault: failure.fault, body: message.body, ...request });
  }
  return any;
}
