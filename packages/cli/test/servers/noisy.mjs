// A program that prints its variables and arguments wherever it can.
import { createInterface } from "node:readline";

const given = [
  process.env.MY_PIN,
  btoa(process.env.MY_PIN ?? ""),
  ...process.argv.slice(2),
  btoa(process.argv[4] ?? ""),
];
const said = `MY_PIN is ${given.join(" ")}`;
console.error(said);
console.log(said);

createInterface({ input: process.stdin }).on("line", (line) => {
  try {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const result =
      method === "initialize"
        ? { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: said, version: "1" } }
        : method === "ping"
          ? {}
          : undefined;
    const rest = result === undefined ? { error: { code: -32603, message: said, data: { [said]: said } } } : { result };
    console.log(JSON.stringify({ jsonrpc: "2.0", id, ...rest }));
  } catch {
    console.log(said);
  }
});
