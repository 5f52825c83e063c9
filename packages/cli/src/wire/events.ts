/** Reads a stream of server-sent events. Calls back with the data of each event, which is JSON in MCP. */
export function eventReader(onData: (data: string) => void): (text: string) => void {
  let rest = "";
  let data: string[] = [];
  return (text) => {
    const lines = `${rest}${text}`.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0) onData(data.join("\n"));
        data = [];
      } else if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
    }
  };
}
