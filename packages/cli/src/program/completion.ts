import { quoteForShell } from "../terminal/shell.ts";
import type { CliCommand, OptionSpec } from "./command.ts";
import { allOptions, GLOBAL_OPTIONS } from "./command-line.ts";

/** The shells that a script is made for. */
export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** The completion script of a shell, made from the tables of the commands. */
export function completionScript(shell: Shell, commands: readonly CliCommand[]): string {
  return COMPLETION_SCRIPTS[shell](commands);
}

const COMPLETION_SCRIPTS: Readonly<Record<Shell, (commands: readonly CliCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

function bashScript(commands: readonly CliCommand[]): string {
  const names = commands.map(({ name }) => name);
  const choices = commands.flatMap(({ name, options }) => choiceCases(name, options));
  const cases = commands.map(({ name, options, words = [] }) => {
    const dashed = Object.keys(allOptions(options)).map((option) => `--${option}`);
    return `    ${name}) options="${dashed.join(" ")}" words="${words.join(" ")}" ;;`;
  });
  const global = Object.keys(GLOBAL_OPTIONS).map((option) => `--${option}`);
  return `# Completion of recourse for bash.
_recourse() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command="" options words word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ $word != -* ]]; then command=$word; break; fi
  done
  COMPREPLY=()
  case "$command:$previous" in
${[...choiceCases("*", GLOBAL_OPTIONS), ...choices].join("\n")}
  esac
  case "$command" in
    "") options="${global.join(" ")}" words="${[...names, "help"].join(" ")}" ;;
    help) options="" words="${names.join(" ")}" ;;
${cases.join("\n")}
    *) return ;;
  esac
  if [[ $current == -* ]]; then words=$options; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _recourse recourse
`;
}

function choiceCases(command: string, options: Readonly<Record<string, OptionSpec>>): string[] {
  return Object.entries(options).flatMap(([name, { choices }]) =>
    choices === undefined
      ? []
      : [`    ${command}:--${name}) COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$current")); return ;;`],
  );
}

function zshScript(commands: readonly CliCommand[]): string {
  const described = commands.map(({ name, about }) => `    ${quoteForShell(`${name}:${about}`)}`);
  const cases = commands.map(({ name, options, words }) => {
    const rest = words === undefined ? "'*:file:_files'" : `'*:word:(${words.join(" ")})'`;
    const lines = Object.entries(allOptions(options)).flatMap(([option, spec]) => zshOptions(option, spec));
    return `    ${name})\n      _arguments -s \\\n${lines.map((line) => `        ${line} \\\n`).join("")}        ${rest} ;;`;
  });
  return `#compdef recourse
# Completion of recourse for zsh.
_recourse() {
  local -a commands
  commands=(
${described.join("\n")}
    'help:Show the help of a command'
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
    help) _describe command commands ;;
${cases.join("\n")}
  esac
}
if [[ $funcstack[1] == _recourse ]]; then _recourse "$@"; else compdef _recourse recourse; fi
`;
}

function zshOptions(name: string, { type, short, multiple, choices, value = "value", about }: OptionSpec): string[] {
  const explained = `[${about.replaceAll(/[[\]:]/g, "\\$&")}]`;
  const filled = choices === undefined ? (takesFile(value) ? "_files" : " ") : `(${choices.join(" ")})`;
  const argument = type === "boolean" ? "" : `:${value.replaceAll(":", "\\:")}:${filled}`;
  const forms = [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
  return forms.map((form) => quoteForShell(`${multiple === true ? "*" : ""}${form}${explained}${argument}`));
}

function fishScript(commands: readonly CliCommand[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  const lines = commands.flatMap(({ name, about, options, words = [] }) => [
    `complete -c recourse -n __fish_use_subcommand -f -a ${name} -d ${quoteForShell(about)}`,
    ...(words.length === 0
      ? []
      : [`complete -c recourse ${afterCommand(name)} -f -a ${quoteForShell(words.join(" "))}`]),
    ...Object.entries(options).map(([option, spec]) => fishOption(option, spec, ` ${afterCommand(name)}`)),
  ]);
  return `# Completion of recourse for fish.
complete -c recourse -n __fish_use_subcommand -f -a help -d 'Show the help of a command'
complete -c recourse ${afterCommand("help")} -f -a '${names}'
${lines.join("\n")}
${Object.entries(GLOBAL_OPTIONS)
  .map(([option, spec]) => fishOption(option, spec, ""))
  .join("\n")}
`;
}

const afterCommand = (name: string): string => `-n '__fish_seen_subcommand_from ${name}'`;

function fishOption(name: string, { type, short, choices, value = "value", about }: OptionSpec, when: string): string {
  const letter = short === undefined ? "" : ` -s ${short}`;
  const argument =
    type === "boolean"
      ? ""
      : choices === undefined
        ? takesFile(value)
          ? " -r -F"
          : " -x"
        : ` -x -a ${quoteForShell(choices.join(" "))}`;
  return `complete -c recourse${when} -l ${name}${letter}${argument} -d ${quoteForShell(about)}`;
}

/** Options whose value is a file say so by its name. */
function takesFile(value: string): boolean {
  return /file|folder|path/.test(value);
}
