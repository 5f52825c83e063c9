// Draws the pictures of the docs, each for light and dark pages, and writes the same output as text. Every picture is a real run
// of a command, or a scene of the console. What differs in each run is replaced afterwards, so that the same sources give the same files.
//
//   node --conditions=@recourse/source scripts/pictures.ts [names…]
//
// Run it when the output of a command changes, look at the pictures, then run `npm run generate`: the pages of docs/cli contain
// the text. `scripts/pictures/table.ts` lists the pictures, `replacements.ts` what is replaced.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { shellWord } from "../packages/cli/src/terminal/shell.ts";
import { CHROMIUM, startChromium } from "../packages/test-kit/src/chromium.ts";
import { findMachineText, replaceVarying } from "./pictures/replacements.ts";
import { FROM_SOURCE, MAIN, type ReadyScene, type Scene } from "./pictures/scenes.ts";
import {
  PAGE_SIZE,
  PICTURE_COLUMNS,
  PICTURES,
  type Picture,
  type PictureName,
  pictureFiles,
  sceneOf,
} from "./pictures/table.ts";
import { drawTerminal, PICTURE_COLORS, type PictureScheme } from "./pictures/terminal-svg.ts";

const LOOK = join(import.meta.dirname, "../packages/console/scenes/look.ts");
const PICTURES_FOLDER = join(import.meta.dirname, "../docs/pictures");
const SCHEMES = Object.keys(PICTURE_COLORS) as PictureScheme[];

await drawPictures(process.argv.slice(2));

async function drawPictures(wanted: readonly string[]): Promise<void> {
  mkdirSync(PICTURES_FOLDER, { recursive: true });
  const names = (Object.keys(PICTURES) as PictureName[]).filter((name) => wanted.length === 0 || wanted.includes(name));
  const byScene = Map.groupBy(names, (name) => sceneOf(PICTURES[name]));
  for (const [scene, shown] of byScene) await drawScene(scene, shown);
}

async function drawScene(scene: Scene, names: readonly PictureName[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "recourse-picture-"));
  try {
    const ready = await scene(folder);
    try {
      for (const name of names) await drawPicture(name, { folder, ready });
    } finally {
      await ready.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function drawPicture(name: PictureName, run: { folder: string; ready: ReadyScene }): Promise<void> {
  const picture: Picture = PICTURES[name];
  const { folder, ready } = run;
  if (picture.console !== undefined) return drawConsole(name, picture.console, folder);
  const settle = (text: string) => {
    const settled = replaceVarying(text, { folder, incidents: ready.incidents });
    const left = findMachineText(settled, { folder });
    if (left.length > 0) throw new Error(`${name} shows what belongs to this machine: ${left.join(", ")}`);
    return settled;
  };
  const args = (picture.args ?? []).map((arg) => (arg === "INCIDENT" ? (ready.incidents[0] ?? "") : arg));
  const input = picture.piped?.map((file) => readFileSync(join(folder, file), "utf8")).join("") ?? "";
  const output = runRecourse(args, { ...run, input });
  if (picture.page !== undefined) return await drawPage(name, settle(readFileSync(join(folder, picture.page), "utf8")));
  const typed = ["recourse", ...args.filter((arg) => arg !== "--quiet").map(shellWord)].join(" ");
  const pipe = picture.piped === undefined ? "" : `cat ${picture.piped.join(" ")} | `;
  drawOutput(name, { typed: settle(pipe + typed), output: settle(output) });
}

function runRecourse(
  args: readonly string[],
  { folder, ready, input }: { folder: string; ready: ReadyScene; input: string },
): string {
  const { NO_COLOR: _, ...env } = process.env;
  const [command = "", ...rest] = args;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [FROM_SOURCE, MAIN, command, "--color", "always", ...rest],
    {
      cwd: folder,
      encoding: "utf8",
      env: { ...env, ...ready.env, COLUMNS: String(PICTURE_COLUMNS), LANG: "C.UTF-8" },
      input,
    },
  );
  if (status === null || status > 1) throw new Error(`recourse ${args.join(" ")} failed: ${stderr}`);
  return stdout;
}

function drawOutput(name: PictureName, { typed, output }: { typed: string; output: string }): void {
  const lines = output.replace(/^\n+|\s+$/g, "").split("\n");
  const tooLong = lines.filter((line) => [...stripVTControlCharacters(line)].length > PICTURE_COLUMNS);
  if (tooLong.length > 0) throw new Error(`${name} has lines that are cut: ${tooLong.join("\n")}`);
  const { title } = PICTURES[name];
  const { text: textFile = "", ...files } = pictureFiles(name);
  // A terminal breaks what is typed at its edge.
  const typedLines = breakAt(`$ ${typed}`, PICTURE_COLUMNS);
  const drawn = typedLines.map(
    (line, at) => `${at === 0 ? "\u001b[2m$\u001b[22m " : ""}\u001b[1m${at === 0 ? line.slice(2) : line}\u001b[22m`,
  );
  const text = [...drawn, "", ...lines].join("\n");
  for (const scheme of SCHEMES)
    savePicture(files[scheme], drawTerminal(text, { scheme, width: PICTURE_COLUMNS, title }));
  const plain = lines.map((line) => stripVTControlCharacters(line).trimEnd());
  savePicture(textFile, `$ ${typed}\n\n${plain.join("\n")}\n`);
}

function breakAt(text: string, width: number): readonly string[] {
  return text.match(new RegExp(`.{1,${width}}`, "gu")) ?? [];
}

async function drawPage(name: PictureName, html: string): Promise<void> {
  if (CHROMIUM === undefined) return void process.stderr.write(`${name}: there is no Chromium, so it is not drawn\n`);
  const files = pictureFiles(name);
  const browser = await startChromium();
  try {
    for (const colorScheme of SCHEMES) {
      const page = await browser.newPage({ colorScheme, viewport: PAGE_SIZE });
      await page.setContent(html);
      savePicture(files[colorScheme], await page.screenshot());
      await page.close();
    }
  } finally {
    await browser.close();
  }
}

/** Draws a scene of the console, which has its own made-up answers. */
function drawConsole(name: PictureName, scene: string, folder: string): void {
  if (CHROMIUM === undefined) return void process.stderr.write(`${name}: there is no Chromium, so it is not drawn\n`);
  const { status } = spawnSync(process.execPath, [FROM_SOURCE, LOOK, folder, "--size", "desktop", scene], {
    stdio: "inherit",
  });
  if (status !== 0) throw new Error(`The scene ${scene} of the console cannot be drawn`);
  const files = pictureFiles(name);
  for (const scheme of SCHEMES)
    savePicture(files[scheme], readFileSync(join(folder, `${scene}-desktop-${scheme}.png`)));
}

function savePicture(file: string, content: string | Uint8Array): void {
  writeFileSync(join(PICTURES_FOLDER, file), content);
  process.stdout.write(`${file}  ${(Buffer.byteLength(content) / 1000).toFixed(1)} kB\n`);
}
