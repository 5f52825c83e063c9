import { expect, test } from "vitest";
import type { ProgramObservation } from "./conversation.ts";
import { judgeEnding } from "./judge-ending.ts";

const SEEN: ProgramObservation = {
  command: ["node", "server.js"],
  folder: "/srv",
  folderExists: true,
  stdout: "",
  stderr: "",
  echoes: false,
  waitedMs: 0,
};

/** What well-known servers and tools say when they do not start. */
const TEXTS = [
  ["D1", 127, "sh: 1: tsx: not found"],
  ["D1", 1, "'tsx' is not recognized as an internal or external command,\r\noperable program or batch file."],
  ["D1", 127, "bash: line 1: uvx: command not found"],
  ["D1", 1, "'tsx' n'est pas reconnu en tant que commande interne\r\nou externe, un programme exécutable"],
  ["D4", 127, "env: ‘node’: No such file or directory"],
  ["D4", 127, "env: node: No such file or directory"],
  ["D5", 2, "python3: can't open file '/srv/server.py': [Errno 2] No such file or directory"],
  ["D5", 1, "ModuleNotFoundError: No module named 'mcp'"],
  ["D5", 1, "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /srv/server.js"],
  ["D6", 1, "Error: The module 'better_sqlite3.node' was compiled against a different Node.js version using"],
  ["D7", 1, "Error: No access token was provided. Pass one with `--access-token` or SENTRY_ACCESS_TOKEN."],
  ["D7", 1, "Please provide a database URL as a command-line argument"],
  ["D7", 1, "Error: None of the specified directories are accessible"],
  ["D7", 1, "error: missing required argument 'path'"],
  ["D8", 1, "Error: connect ECONNREFUSED 127.0.0.1:5432\n    at TCPConnectWrap.afterConnect"],
  ["D8", 125, "docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock."],
  ["D8", 1, "npm ERR! code ECONNRESET\nnpm ERR! network Client network socket disconnected before secure TLS"],
  ["D15", 1, 'npm error npx canceled due to missing packages and no YES option: ["shop@1.0.0"]'],
  ["D16", 1, "npm error code E404\nnpm error 404  '@shop/mcp@*' is not in this registry."],
  ["D16", 125, "docker: Error response from daemon: pull access denied for mcp/none, repository does not exist"],
  ["D17", 137, ""],
  ["D17", 134, "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory"],
  ["D19", 1, "Error: listen EADDRINUSE: address already in use :::3000"],
  ["D19", 1, "Port 3001 is already in use"],
  [
    "D20",
    1,
    "SyntaxError: The requested module 'node:util' does not provide an export named 'styleText'\nNode.js v18.20.4",
  ],
  [
    "D20",
    1,
    'TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".ts" for /srv/server.ts\nNode.js v20.19.0',
  ],
  ["D20", 1, "Error: No such built-in module: node:sqlite"],
  [
    "D73",
    1,
    "  × No solution found when resolving tool dependencies:\n  ╰─▶ the current Python version (3.9) does not",
  ],
  ["D77", 1, "Error: EACCES: permission denied, mkdir '/data'"],
  ["D7", 1, 'npm error Missing script: "start:mcp"'],
  ["D43", 1, "TypeError: Cannot read properties of undefined (reading 'config')\n    at start (/srv/server.js:3:1)"],
  ["D43", 1, "thread 'main' panicked at src/main.rs:3:5"],
  ["D43", 1, ""],
  ["D9", 0, "Usage: shop serve"],
] as const;

test.for(TEXTS)("%s: exit code %i with %j", ([id, code, stderr]) => {
  expect(judgeEnding({ ...SEEN, stderr, ended: { code, signal: null, ms: 100 } }).id).toBe(id);
});

test("names what is known: package, port, variable, address", () => {
  const saw = (stderr: string, code = 1) => judgeEnding({ ...SEEN, stderr, ended: { code, signal: null, ms: 1 } });
  expect(saw("npm error code E404\nnpm error 404  '@shop/mcp@*' is not in this registry.").code).toBe(
    "npm view @shop/mcp name",
  );
  expect(saw("Error: listen EADDRINUSE: address already in use :::3000").saw).toBe("Port 3000 is already in use.");
  expect(saw("Error: SHOP_API_KEY is not set").code).toBe("recourse doctor -e SHOP_API_KEY=… node server.js");
  expect(saw("Error: connect ECONNREFUSED 127.0.0.1:5432").saw).toContain("cannot reach 127.0.0.1:5432");
});
