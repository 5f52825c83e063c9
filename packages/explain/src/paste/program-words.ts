// Words about programs that name what the text names.

import { type CauseWords, firstGroup, type Groups } from "./rule.ts";

/** Programs that people forget to install, and where they come from. */
const INSTALL_HINTS: Readonly<Record<string, string>> = {
  uvx: "Install uv, which brings uvx",
  uv: "Install uv",
  npx: "Install Node.js, which brings npx",
  npm: "Install Node.js, which brings npm",
  node: "Install Node.js",
  bunx: "Install Bun, which brings bunx",
  bun: "Install Bun",
  deno: "Install Deno",
  docker: "Install Docker and start it",
  python: "Install Python, or use the name python3",
  python3: "Install Python",
  pipx: "Install pipx",
  java: "Install a Java runtime",
  dotnet: "Install the .NET SDK",
};

export function missingCommand(groups: Groups): CauseWords {
  const given = firstGroup(groups)?.trim();
  if (given === undefined) return {};
  const [program = given] = /\s-|\s@/.test(given) ? given.split(/\s/, 1) : [given];
  const name =
    program
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/\.(?:exe|cmd)$/i, "") ?? program;
  const title = `The command "${program}" was not found`;
  if (program !== given)
    return {
      title,
      because: "The whole command line was given as the name of the program.",
      fix: `Give "${program}" as the command, and the rest as its arguments.`,
    };
  if (/[\\/]/.test(program))
    return {
      title,
      because: "There is no program at this path.",
      fix: "Correct the path in the settings of your host, or install the program there.",
    };
  const hint = Object.hasOwn(INSTALL_HINTS, name) ? INSTALL_HINTS[name] : "Install the program";
  const windows = /^(?:npx|npm|uvx|bunx)$/.test(name)
    ? ` On Windows, use \`cmd\` with the arguments \`/c ${name} …\`.`
    : "";
  return {
    title,
    fix: `${hint}, or give its absolute path in the settings of your host: hosts often have a shorter PATH than your shell.${windows}`,
    ...(/^[\w.-]{1,40}$/.test(name) && { code: `which ${name}   # Windows: where ${name}` }),
  };
}

/** Words for a file or module that is missing. Group 2 is the name of a Python module. */
export function missingModule(groups: Groups): CauseWords {
  const name = firstGroup(groups);
  if (name === undefined) return {};
  const title = `A file or module is missing: "${name}"`;
  if (name === groups[1])
    return {
      title,
      because: "The Python that starts the server does not have this package; another environment may have it.",
      fix: "Install the package for the Python that starts the server, or start it with `uv run` or `uvx`, which bring its packages.",
      ...(/^\w{1,60}$/.test(name) && { code: `python -m pip install ${name}   # the package may have another name` }),
    };
  if (/^(?:[./\\~]|[A-Za-z]:\\)/.test(name))
    return {
      title,
      because: "The file is not there: the path is wrong, or the project is not built.",
      fix: "Correct the path (an absolute one works from everywhere), and build the project if the file is its output.",
    };
  return { title };
}

export function usedPort(groups: Groups): CauseWords {
  const port = firstGroup(groups);
  if (port === undefined) return {};
  return {
    title: `Port ${port} is already in use`,
    code: `lsof -i :${port}   # Windows: netstat -ano | findstr :${port}`,
  };
}

/** Words for a variable that is not set. */
export function missingSetting(groups: Groups): CauseWords {
  const name = firstGroup(groups);
  if (name === undefined) return {};
  return {
    title: `The setting ${name} is missing`,
    fix: `Give the variable ${name} under \`env\` in the settings of your host; the variables of your shell do not reach the server.`,
    code: `recourse doctor -e ${name}=… <command…>`,
  };
}

/** Words for a process that ended with an exit code. */
export function endedWith(groups: Groups): CauseWords {
  const code = firstGroup(groups);
  return code === undefined ? {} : { title: `The server's process ended with exit code ${code}` };
}
