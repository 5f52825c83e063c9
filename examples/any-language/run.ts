// Prints what a model reads about each failure of a server in Python and of one in Perl.
import { callTool } from "./call.ts";

const SERVERS = [
  ["python3", "server.py", ["traceback", "rpc_error", "exits", "garbage", "silent"]],
  ["perl", "server.pl", ["dies", "false_success", "wrong_arguments"]],
] as const;

for (const [command, file, tools] of SERVERS) {
  for (const tool of tools) {
    const { ok, text, effect = "" } = await callTool(command, file, tool);
    console.log(`${file} ${tool}: ${ok ? "ok" : `effect ${effect}`}\n  ${text}`);
  }
}
