import { core, transport } from "@recourse/core/reasons";
// How hosts, shells, runtimes and package managers say that a server did not start or ended.

import { endedWith, missingCommand, missingModule, missingSetting, usedPort } from "./program-words.ts";
import { firstGroup, type PasteRule } from "./rule.ts";

/** Rules about programs, the most telling first. */
export const PROGRAM_RULES = {
  "config-file": {
    pattern:
      /(?:claude_desktop_config|mcp(?:[_-](?:config|settings|servers))?|cline_mcp_settings|settings|\.claude|config)\.jsonc?\b[^\n]{0,200}(?:Unexpected|pars(?:e|ing)|invalid|not valid|malformed|syntax)|(?:pars(?:e|ing)|reading|load(?:ing)?|invalid|malformed)[^\n]{0,160}(?:claude_desktop_config|mcp(?:[_-](?:config|settings|servers))?|cline_mcp_settings|\.claude)\.jsonc?\b|(?:invalid|malformed|failed to parse)[^\n]{0,20}(?:MCP )?(?:config(?:uration)?|settings)(?: file)?\b/i,
    cause: "D46",
  },
  "docker-daemon": {
    pattern:
      /cannot connect to the docker daemon|docker daemon (?:is )?not running|error during connect: [^\n]{0,200}(?:docker|podman|pipe)|docker\w{0,20}engine\b[^\n]{0,80}cannot find the file|cannot connect to podman|is the docker daemon running/i,
    cause: "D8",
    say: () => ({
      title: "Docker is not running",
      because: "The server is started with Docker, and the Docker daemon does not answer.",
      fix: "Start Docker (Docker Desktop on macOS and Windows), then reload the server in your host.",
      code: "docker info",
    }),
  },
  "docker-image": {
    pattern:
      /unable to find image '([^'\n]{1,200})'[\s\S]{0,300}(?:denied|not found|no such host)|pull access denied for ([^\s,]{1,200})|manifest for ([^\s]{1,200}) not found/i,
    cause: "D16",
    say: (groups) => ({
      title: `Docker cannot get the image "${firstGroup(groups) ?? ""}"`,
      code: "docker pull <image>",
    }),
  },
  "env-interpreter": {
    pattern: /\benv: [‘'"]?([\w.-]{1,60})[’'"]?: No such file/i,
    cause: "D4",
    say: (groups) => ({ title: `The interpreter of the script was not found: ${firstGroup(groups)}` }),
  },
  "spawn-einval": {
    pattern: /\bspawn (?:[^\s"]{1,200} )?EINVAL\b/,
    cause: "D1",
    say: () => ({
      title: "Windows cannot start this command directly",
      because: "npx, npm and uvx are command files on Windows, and Node.js starts only programs.",
      fix: "Use `cmd` as the command and `/c npx …` as its arguments.",
    }),
  },
  "spawn-denied": {
    pattern:
      /\bspawn ([^\n"]{1,200}) (?:EACCES|EPERM|ENOEXEC|UNKNOWN)\b|(?:exec|fork\/exec) ([^\s:"]{1,200}): (?:permission denied|exec format error)/i,
    cause: "D3",
    say: (groups) => ({ title: `The file "${firstGroup(groups) ?? ""}" may not be executed` }),
  },
  "working-folder": {
    pattern:
      /\bchdir\b[^\n]{0,200}(?:ENOENT|no such file)|(?:cwd|working directory)[^\n]{0,200}(?:does not exist|ENOENT|not found)/i,
    cause: "D2",
  },
  "spawn-not-found": { pattern: /\bspawn ([^\n"]{1,200}) ENOENT\b/, cause: "D1", say: missingCommand },
  "uv-spawn": {
    pattern: /Failed to spawn: [`'"]([^`'"\n]{1,200})[`'"]/i,
    cause: "D1",
    say: (groups) => ({
      title: `The command "${firstGroup(groups) ?? ""}" was not found`,
      because: "uv looked for this program in the environment of the project and in PATH, and it is in neither.",
      fix: "Correct the name of the program, give the folder of the project with `--directory`, or name its package with `uvx --from <package> <program>`.",
    }),
  },
  "command-not-found": {
    pattern:
      /(?:^|[\s:])([\w./@+-]{1,100}): command not found(?!: )|command not found: ([\w./@+-]{1,100})|\b(?:ba|da|z|k)?sh: (?:\d{1,4}: |line \d{1,4}: )?([\w./@+-]{1,100}): not found|'([^'\n]{1,200})' is not recognized as an internal or external command|The term '([^'\n]{1,200})' is not recognized|exec: "([^"\n]{1,200})": executable file not found|Cannot run program "([^"\n]{1,200})"|\bcould not find (?:command|executable):? [`'"]?([\w./@+-]{1,100})|\bcommand [`'"]([^`'"\n]{1,100})[`'"] (?:was )?not found/im,
    cause: "D1",
    say: missingCommand,
  },
  "program-not-found": {
    pattern:
      /FileNotFoundError: \[(?:Errno|WinError) 2\] [^\n:]{1,80}(?:: '([^'\n]{1,200})')?|No such file or directory \(os error 2\)|The system cannot find the file specified|\bprogram not found\b|\bENOENT\b[^\n]{0,40}\bspawn\b/,
    unless: /FileNotFoundError: [^\n]{1,120}\.(?:json|ya?ml|toml|txt|csv|db|env|md|log)'/,
    cause: "D1",
    say: missingCommand,
  },
  "npx-question": { pattern: /no YES option|npx canceled/i, cause: "D15" },
  "package-without-program": {
    pattern:
      /could not determine executable to run|does not provide any executables|No executables (?:are|were) provided by|executable named [`'"]?[^\n]{1,100}not provided by/i,
    cause: "D16",
    say: () => ({
      title: "The package has no program to start",
      because: "The package was found, but it has no command, or one with another name.",
      fix: "Look up the command in the package's README, and name both: `npx -y -p <package> <command>` or `uvx --from <package> <command>`.",
    }),
  },
  "package-not-found": {
    pattern:
      /\bnpm (?:ERR!|error) (?:code )?E?404\b|\bcode E404\b|\bERR_PNPM_FETCH_404\b|GET https?:\/\/registry\.\S{1,300} - 404\b|\b404 Not Found - GET https?:\/\/\S{1,300}|No matching distribution found for ([^\s(]{1,100})|(?<![@\w./-])([@\w./-]{1,100})[`'"]? was not found in the package registry|\bETARGET\b|No matching version found for ([^\s]{1,100})|error: package [`'"]([^`'"\n]{1,100})[`'"] not found/i,
    cause: "D16",
    say: (groups) => {
      const name = firstGroup(groups)?.replace(/[.,]$/, "");
      return name === undefined ? {} : { title: `The registry does not have the package "${name}"` };
    },
  },
  "registry-unreachable": {
    pattern:
      /\bnpm (?:ERR!|error) (?:network\b|(?:code |errno )?(?:ECONNRESET|ECONNREFUSED|ECONNABORTED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ESOCKETTIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)\b)|(?:Failed to fetch|Could not fetch URL|error sending request for url)\W{0,6}https:\/\/(?:pypi\.org|files\.pythonhosted\.org|registry\.npmjs\.org)\b|request to https:\/\/registry\.[\w.-]{1,100}\/\S{0,200} failed/i,
    cause: "D8",
    say: () => ({
      title: "The package registry cannot be reached",
      because: "The package has to be downloaded first, and this machine has no way to the registry.",
      fix: "Check the network and the proxy settings of the package manager, or install the package beforehand.",
      code: "npm ping   # or: npm config get proxy",
    }),
  },
  "old-node": {
    pattern:
      /code EBADENGINE|Unsupported engine|does not provide an export named[^\n]{0,80}node:|module 'node:[\w/]{1,40}' does not provide an export|No such built-in module: node:|ERR_UNKNOWN_BUILTIN_MODULE|\b(?:ReadableStream|TransformStream|fetch|Headers|File|crypto|structuredClone|WebSocket) is not defined|(?:Promise\.withResolvers|Object\.groupBy|\.toSorted|\.findLast) is not a function|SyntaxError: Unexpected token '(?:\?|\?\?=|\.|=)'|\b(?:requires|needs) Node(?:\.js)? (?:version )?v?(?:>=? ?)?\d{2}/i,
    cause: "D20",
  },
  "native-part": {
    pattern:
      /Could not locate the bindings file|compiled against a different Node\.js version|ERR_DLOPEN_FAILED|invalid ELF header|No native build was found|Cannot find module '[^'\n]{0,300}\.node'|wrong architecture|prebuild[^\n]{0,100}not found|incompatible architecture|better-sqlite3[^\n]{0,100}NODE_MODULE_VERSION|NODE_MODULE_VERSION \d/i,
    cause: "D6",
  },
  "python-version": {
    pattern:
      /requires a different Python|Requires-Python|No solution found when resolving|requires-python|ResolutionImpossible|has requirement [^\n]{1,100}but you have|ImportError: cannot import name|\bPython (?:version )?>=? ?3\.\d{1,2}[^\n]{0,30}(?:required|needed)|requires Python/i,
    cause: "D73",
  },
  "missing-module": {
    pattern:
      /(?:Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND[^\n]{0,100}?) '([^'\n]{1,300})'|No module named '?([\w.]{1,100})|can't open file '?([^'\n:]{1,300})|Unable to access jarfile ([^\n]{1,200})|Could not find or load main class ([^\s]{1,200})|ClassNotFoundException: ([\w.$]{1,200})|Module not found "([^"\n]{1,300})"|ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|Could not read package\.json|error: Module not found|ENOENT: no such file or directory, \w{1,20} '([^'\n]{1,300})'|Couldn't find a project to run|does not provide an export named/i,
    cause: "D5",
    say: missingModule,
  },
  "missing-script": {
    pattern: /\bMissing script:? [`'"]?([^`'"\n]{1,100})/i,
    cause: "D7",
    say: (groups) => ({
      title: `package.json has no script "${firstGroup(groups) ?? ""}"`,
      because: "package.json has no script of this name.",
      fix: "Use one of the scripts that it has.",
      code: "npm run",
    }),
  },
  "out-of-memory": {
    pattern:
      /heap out of memory|\bMemoryError\b|OutOfMemoryError|OOMKilled|\bout of memory\b|exit(?:ed)?(?: with)?(?: code| status)?:? ?\(?(?:137|134)\b|signal: ?(?:SIGKILL|killed|9\b)|\bsignal SIGKILL\b/i,
    cause: "D17",
    inTool: core.overloaded,
    effect: "possible",
  },
  "port-in-use": {
    pattern:
      /EADDRINUSE[^\n]{0,80}?:(\d{2,5})\b|port (\d{2,5}) is (?:already )?in use|address already in use[^\n]{0,60}?:(\d{2,5})\b|EADDRINUSE|address already in use|only one usage of each socket address|attempting to bind on address \('[^'\n]{0,60}', (\d{2,5})\)/i,
    cause: "D19",
    say: usedPort,
  },
  "no-space": {
    pattern: /\bENOSPC\b|no space left on device/i,
    cause: "D77",
    inTool: core.unavailable,
    say: () => ({
      title: "The disk is full",
      because: "Nothing more can be written to the disk or volume.",
      fix: "Free space on the disk that the server writes to, then try again.",
    }),
  },
  "file-denied": {
    pattern:
      /\b(?:EACCES|EPERM|EROFS)\b: [^\n]{0,80}|PermissionError: \[Errno 13\]|Permission denied \(os error 13\)|(?:mkdir|open) [^\n]{1,200}: (?:permission denied|read-only file system)/i,
    cause: "D77",
    inTool: core.internal,
  },
  "missing-setting": {
    pattern:
      /\b([A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,6})\b(?:[`'"]|\s|environment|variable|is|was|must|be|has|to|not){0,12}(?:required|not set|missing|must be set|not defined|be provided|be set|undefined)\b|(?:missing|required|set|provide|undefined|specify)(?: the| a)?(?: required)?(?: environment)?(?: variables?)?:? [`'"]?([A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,6})\b|KeyError: '([A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,6})'/,
    unless: /\bERR_[A-Z_]{3,40}\b/,
    cause: "D7",
    say: missingSetting,
  },
  "missing-settings": {
    pattern:
      /\b(?:missing|no|required) (?:an? )?(?:environment variables?|env vars?|api[ _-]?key|access[ _-]?token)\b[^\n]{0,40}(?:found|set|provided|required|configured|missing)?|api[ _-]?key (?:is )?(?:required|missing|not (?:set|provided|configured|found))|environment variables? [^\n]{0,60}(?:is|are) (?:required|missing|not set)/i,
    cause: "D7",
    inTool: core.unavailable,
    isGuess: true,
  },
  "wrong-option": {
    pattern:
      /unexpected argument '[^'\n]{1,100}'|unrecognized arguments?:|unknown (?:option|command|flag)\b|unrecognized option|the following arguments are required|flag provided but not defined|error: missing required argument|bad option: /i,
    cause: "D7",
    say: () => ({
      title: "The program does not accept its arguments",
      because: "An argument in the settings of the host is wrong, missing, or of another version of the program.",
      fix: "Compare the arguments with the README of the server, or start the command with `--help`.",
    }),
  },
  "usage-text": { pattern: /^\s{0,4}usage: \S/im, cause: "D9", isGuess: true },
  "exit-127": { pattern: /(?:exit|status|code)[^\n\d-]{1,20}127\b/i, cause: "D1" },
  "exit-126": { pattern: /(?:exit|status|code)[^\n\d-]{1,20}126\b/i, cause: "D3" },
} as const satisfies Record<string, PasteRule>;

/** Rules about programs that say only that one ended. What else the text says counts before them. */
export const EXIT_RULES = {
  "uncaught-error": {
    pattern:
      /\b((?:Type|Reference|Syntax|Range|Attribute|Name|Value|Import|Indentation|Assertion|Runtime|Key|Index)Error: [^\n]{1,160})$/m,
    unless: /fetch failed|terminated|is not valid JSON|in JSON at position|MCP error|JSONRPC/i,
    cause: "D43",
    inTool: core.internal,
    isGuess: true,
    effect: "possible",
    say: (groups) => ({
      title: "The program failed with an error in its code",
      because: `The runtime reports: ${firstGroup(groups) ?? ""}`,
      fix: "Update the server; as its author, correct the line that the stack names.",
    }),
  },
  panic: {
    pattern:
      /^panic: ([^\n]{1,160})|thread '[^'\n]{1,60}' panicked at ([^\n]{1,160})|^Exception in thread "[^"\n]{1,60}" ([^\n]{1,160})|^Unhandled exception\. ([^\n]{1,160})/m,
    cause: "D43",
    effect: "possible",
    say: (groups) => ({
      title: "The program crashed",
      because: `It stopped with: ${firstGroup(groups) ?? ""}`,
      fix: "Update the server; as its author, correct the line that the stack names.",
    }),
  },
  // Behind the name of another system call, a file or a socket is missing.
  "bare-enoent": {
    pattern: /\bENOENT\b/,
    unless:
      /\b(?:connect|open|l?stat|access|scandir|opendir|readlink|realpath|unlink|rename|mkdir|rmdir|copyfile) ENOENT\b/,
    cause: "D1",
    isGuess: true,
  },
  "exit-zero": { pattern: /exited[^\n\d]{0,20}(?:code|status)[^\n\d-]{0,4}0\b/i, cause: "D9" },
  "exit-code": {
    pattern:
      /\b(?:exit(?:ed)?|terminated|ended|failed|stopped|crashed)\b[^\n\d]{0,30}(?:code|status)[^\n\d-]{0,4}(-?\d{1,10})\b|\bexit status (\d{1,10})\b|\bexited\b[^\n]{0,20}\((\d{1,3})\)/i,
    cause: "D67",
    reason: transport.exited,
    say: endedWith,
    effect: "possible",
  },
} as const satisfies Record<string, PasteRule>;
