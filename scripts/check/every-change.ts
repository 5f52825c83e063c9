// What every change must pass, in stages: the parts of a stage run two at a time, and a stage starts when the one before it
// has passed.
import type { Command, Part } from "./part.ts";

const node = (script: string, ...args: readonly string[]): Command => ["node", script, ...args];
const onSources = (script: string, ...args: readonly string[]): Command => [
  "node",
  "--conditions=@recourse/source",
  script,
  ...args,
];

/** What is published, and how it is built. */
const PACKAGES = ["packages/*/src/**", "packages/*/package.json", "package-lock.json", "scripts/build.ts"];
const SERVER_KIT = ["packages/{core,faults,test-kit}/src/**", "packages/core/test/peers/**", "package-lock.json"];
const GATEWAY = ["packages/{core,explain,bridge,stores,gateway}/src/**", "package-lock.json"];

/** A stage: parts that do not depend on each other. */
export interface Stage {
  readonly parts: readonly Part[];
  /** Whether its parts use every core themselves, so that they run one at a time. @default false */
  readonly oneByOne?: boolean;
}

export const BUILD: Part = { name: "build", title: "types and build", commands: [node("scripts/build.ts")] };
export const TESTS: Part = {
  name: "tests",
  title: "every test, on Node 24",
  commands: [node("scripts/run-tests.ts", "current")],
};

export const EVERY_CHANGE: readonly Stage[] = [
  {
    parts: [
      {
        name: "lock",
        title: "the lock file",
        commands: [node("scripts/check-lock.ts")],
        covers: ["**/package-lock.json"],
      },
      BUILD,
    ],
  },
  {
    parts: [
      {
        name: "lint",
        title: "format and lint, and waits in tests",
        commands: [["biome", "check", ".", "--error-on-warnings"], node("scripts/check-waits.ts")],
      },
      {
        name: "browser-types",
        title: "types of what runs in browsers: the console, scripts and checks of the website",
        commands: [
          ["tsc", "-p", "packages/console", "--noEmit"],
          ["tsc", "-p", "site/tsconfig.browser.json"],
        ],
      },
      { name: "unused", title: "unused code", commands: [["knip"]] },
      { name: "imports", title: "which folder imports which", commands: [node("scripts/check-imports.ts")] },
      { name: "tsdoc", title: "comments of public names", commands: [node("scripts/check-tsdoc.ts")] },
      { name: "structure", title: "structure", commands: [node("scripts/structure.ts")] },
      {
        name: "api",
        title: "signatures of all public names, as in api/",
        commands: [node("scripts/api-report.ts", "--check")],
        covers: ["api/**", "scripts/api-report.ts", ...PACKAGES],
      },
      {
        name: "deploy",
        title: "manifests for Kubernetes, workflows, alerts and runbooks",
        commands: [onSources("deploy/check.ts", "files", "rules")],
        covers: ["deploy/**", ".github/**", "docs/operate/runbooks/**", "packages/gateway/src/config/**"],
      },
      { name: "generated", title: "generated files", commands: [onSources("scripts/generate.ts", "--check")] },
    ],
  },
  { oneByOne: true, parts: [TESTS] },
  {
    parts: [
      {
        name: "samples",
        title: "every sample of the README and the guides, in an empty project",
        commands: [node("scripts/samples.ts")],
        covers: ["**/README.md", "docs/guide/**", "scripts/samples.ts", ...PACKAGES],
      },
      {
        name: "conformance",
        title: "the official conformance suite, bare and with ours",
        commands: [node("scripts/conformance/library.ts")],
        covers: ["scripts/conformance/**", ...SERVER_KIT],
      },
      {
        name: "conformance-gateway",
        title: "the official conformance suite through the gateway",
        commands: [onSources("scripts/conformance/gateway.ts")],
        covers: ["scripts/conformance/**", ...GATEWAY],
      },
      {
        name: "packaging",
        title: "packages: contents, types, sizes, what an installation brings",
        commands: [node("scripts/packaging.ts"), node("bench/size.ts"), node("bench/install-size.ts")],
        covers: [
          "scripts/{packaging,packed}.ts",
          "bench/{size,install-size}.ts",
          "docs/guide/entry-points.md",
          "packages/*/README.md",
          ...PACKAGES,
        ],
      },
      {
        name: "cli",
        title: "the command line, from its package",
        commands: [node("scripts/cli.ts")],
        covers: ["scripts/cli.ts", "packages/cli/README.md", ...PACKAGES],
      },
      {
        name: "sdk-versions",
        title: "the oldest and newest supported versions of the official SDK",
        commands: [node("scripts/sdk-versions.ts")],
        covers: ["scripts/sdk-versions.ts", ...SERVER_KIT],
      },
      {
        name: "smoke",
        title: "the built packages on every supported Node, and how they call each other",
        commands: [
          node("scripts/smoke.ts"),
          node("scripts/other-node.ts", "22", "scripts/smoke.ts"),
          node("scripts/other-node.ts", "26", "scripts/smoke.ts"),
          onSources("scripts/flows.ts"),
        ],
        covers: ["scripts/{smoke,flows,other-node}.ts", ...PACKAGES],
      },
    ],
  },
];
