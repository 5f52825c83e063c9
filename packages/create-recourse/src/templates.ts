/** The projects that can be started, and what to do first in each. */
export const TEMPLATES = {
  server: {
    about: "an MCP server with three tools, over stdio and HTTP",
    commands: { "npm run try": "calls it and prints what a model reads", "npm test": "tests its failures" },
  },
  agent: {
    about: "an agent with a scripted model, and the server that it calls",
    commands: { "npm start": "prints a conversation", "npm test": "tests what it does about failures" },
  },
} as const satisfies Record<string, Template>;

/** The name of a template, and of its folder in the package. */
export type TemplateName = keyof typeof TEMPLATES;

interface Template {
  readonly about: string;
  /** Commands to try after `npm install`, each with what it does. */
  readonly commands: Readonly<Record<string, string>>;
}

/** npm leaves files of these names out of a package, so they travel under another one. */
export const RENAMED = { gitignore: ".gitignore" } as const;
