import { parseArgs } from "node:util";
import { TEMPLATES, type TemplateName } from "./create-project.ts";

/** What the user asked for. A wrong command line is a text that says what is wrong. */
export type Command =
  | { readonly do: "create"; readonly folder: string; readonly template: TemplateName }
  | { readonly do: "help" }
  | { readonly do: "version" }
  | { readonly do: "refuse"; readonly text: string };

/** What `--help` prints. */
export const HELP = `npm create recourse <folder> [-- --template <name>]

Starts a project in a new or empty folder:
${Object.entries(TEMPLATES)
  .map(([name, { about }]) => `  ${name.padEnd(8)}${about}`)
  .join("\n")}

Options:
  --template <name>   one of those above (default: server)
  --help              prints this
  --version           prints the version`;

/** npm takes options before `--` for its own, and passes their values on as further names. */
const DASHES = 'npm needs "--" before options, as in: npm create recourse my-agent -- --template agent';

/** Reads a command line, without the program itself. */
export function readCommand(args: readonly string[]): Command {
  const read = parse(args);
  if (typeof read === "string") return refuse(read);
  const { values, positionals } = read;
  if (values.help) return { do: "help" };
  if (values.version) return { do: "version" };
  const [folder, ...others] = positionals;
  if (folder === undefined || folder === "") return refuse("Name a folder, as in: npm create recourse my-server");
  if (others.length > 0) return refuse(`Name one folder, not ${positionals.length}. ${DASHES}`);
  if (!isTemplate(values.template)) {
    return refuse(`There is no template "${values.template}". Use ${Object.keys(TEMPLATES).join(" or ")}.`);
  }
  return { do: "create", folder, template: values.template };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        template: { type: "string", default: "server" },
        help: { type: "boolean", short: "h", default: false },
        version: { type: "boolean", default: false },
      },
      allowPositionals: true,
    });
  } catch (error) {
    // The parser throws for nothing but wrong options, and its sentences say which.
    return error instanceof Error ? error.message : "The options could not be read.";
  }
}

function refuse(text: string): Command {
  return { do: "refuse", text };
}

function isTemplate(name: string): name is TemplateName {
  return Object.hasOwn(TEMPLATES, name);
}
