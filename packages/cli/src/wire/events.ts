/** An event that is longer is not kept. */
const MAX_EVENT = 16 * 1024 * 1024;

/**
 * Reads a stream of server-sent events. Calls back with the data of each event, which is JSON in MCP. An event over the limit
 * is dropped as it arrives.
 */
export function eventReader(
  onData: (data: string) => void,
  { maxLength = MAX_EVENT }: { readonly maxLength?: number } = {},
): (text: string) => void {
  /** The line that has not ended, in the pieces that it came in: joining them for each new one would take longer each time. */
  let pieces: string[] = [];
  let lineLength = 0;
  let data: string[] = [];
  let dataLength = 0;
  let isDropped = false;

  const drop = (): void => {
    data = [];
    isDropped = true;
  };
  const takeLine = (line: string): void => {
    if (line === "") {
      if (data.length > 0) onData(data.join("\n"));
      data = [];
      dataLength = 0;
      isDropped = false;
    } else if (!isDropped && line.startsWith("data:")) {
      data.push(line.slice(line[5] === " " ? 6 : 5));
      dataLength += line.length;
      if (dataLength > maxLength) drop();
    }
  };
  return (text) => {
    // A carriage return at the end of the last piece may be half of a line end.
    if (!/[\r\n]/.test(text) && pieces.at(-1)?.endsWith("\r") !== true) {
      pieces.push(text);
      lineLength += text.length;
      if (dataLength + lineLength <= maxLength) return;
      drop();
      // What stays shows only that the line was not empty.
      pieces = ["-"];
      lineLength = 1;
      return;
    }
    const lines = [...pieces, text].join("").split(/\r\n|\n|\r(?!$)/);
    const rest = lines.pop() ?? "";
    pieces = rest === "" ? [] : [rest];
    lineLength = rest.length;
    for (const line of lines) takeLine(line);
  };
}
