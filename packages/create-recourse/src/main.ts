#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { HELP, readCommand } from "./command-line.ts";
import { createProject, TEMPLATES, type TemplateName } from "./create-project.ts";

const ROOT = join(import.meta.dirname, "..");
/** The first Node that runs TypeScript without a flag. */
const NEEDED = [22, 18] as const;

const command = readCommand(process.argv.slice(2));
switch (command.do) {
  case "help":
    console.log(HELP);
    break;
  case "version":
    console.log((JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string }).version);
    break;
  case "refuse":
    end(2, `${command.text}\n\n${HELP}`);
    break;
  case "create":
    create(command.folder, command.template);
    break;
  default:
    command satisfies never;
}

function create(folder: string, template: TemplateName): void {
  const created = createProject({ folder, template, templates: join(ROOT, "templates") });
  if (!created.ok) {
    end(1, created.text);
    return;
  }
  console.log(`${created.name} is ready: ${TEMPLATES[template].about}.\n\n${nextSteps(folder, template)}`);
  if (!isNodeNewEnough(process.versions.node)) {
    console.log(`\nThis is Node ${process.versions.node}. The project needs ${NEEDED.join(".")} or later.`);
  }
}

function nextSteps(folder: string, template: TemplateName): string {
  const path = relative(".", folder);
  const commands = Object.entries<string>(TEMPLATES[template].commands);
  return [
    ...(path === "" ? [] : [`  cd ${/^[\w./-]+$/.test(path) ? path : JSON.stringify(path)}`]),
    "  npm install",
    ...commands.map(([line, about]) => `  ${line.padEnd(14)} # ${about}`),
  ].join("\n");
}

function isNodeNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
}

function end(code: number, text: string): void {
  console.error(text);
  process.exitCode = code;
}
