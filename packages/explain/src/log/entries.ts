import { blocksIn, type LogBlock, type LogText, valueInBlock } from "./blocks.ts";
import { decodeLoggedFailure, type LoggedFailure, loggedMessages } from "./failures.ts";
import { incidentInText, incidentsInValue, type LoggedIncident, timeInValue } from "./incidents.ts";
import { readLogTime, splitPrefix } from "./line-prefix.ts";

/** What a part of a log holds. Its texts are those of the log: clean them before you show them. */
export interface LogContent {
  /** Incidents of Recourse. The gateway's own comes first, then the upstream's. */
  readonly incidents: readonly LoggedIncident[];
  /** Failures in messages of MCP. */
  readonly failures: readonly LoggedFailure[];
}

/** Lines of a log that belong together. Reading them takes time, so read only those that you want. */
export interface LogEntry extends LogBlock {
  /** When they were written, as ISO 8601. Undefined if they have no time. */
  readTime(): string | undefined;
  /** Reads what they hold. */
  readContent(): LogContent;
}

/**
 * The entries of a log, one after the other: a line with the stack below it, or a JSON document. No more than one entry is
 * held at a time.
 *
 * @example
 * for await (const entry of readLogEntries(log))
 *   if (entry.texts.some((text) => text.includes(id))) console.log(entry.line, entry.readContent().incidents);
 */
export async function* readLogEntries(log: LogText): AsyncGenerator<LogEntry> {
  for await (const block of blocksIn(log))
    yield { ...block, readTime: () => readBlockTime(block), readContent: () => readBlockContent(block) };
}

/**
 * The incidents and failures in a JSON value: a line of a logger, a message of MCP, or what the API of a gateway answers.
 *
 * @example
 * const { incidents } = readLogValue(await response.json());
 */
export function readLogValue(value: unknown): LogContent {
  return { incidents: incidentsInValue(value), failures: failuresInValue(value) };
}

function readBlockTime(block: LogBlock): string | undefined {
  const { stamp } = splitPrefix(block.texts[0] ?? "");
  return readLogTime(stamp) ?? incidentInText(block.texts)?.at ?? timeInValue(readBlockValue(block));
}

function readBlockContent(block: LogBlock): LogContent {
  const value = readBlockValue(block);
  const logged = incidentInText(block.texts);
  return {
    incidents: logged === undefined ? incidentsInValue(value) : [logged],
    failures: failuresInValue(value),
  };
}

function readBlockValue(block: LogBlock): unknown {
  return block.cut ? undefined : valueInBlock(block)?.value;
}

function failuresInValue(value: unknown): readonly LoggedFailure[] {
  return Array.from(loggedMessages(value), (message) => decodeLoggedFailure(message, {})).filter(
    (failure) => failure !== undefined,
  );
}
