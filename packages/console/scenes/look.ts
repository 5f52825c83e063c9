// Takes pictures of scenes, to look at: node scenes/look.ts <folder for pictures> [--size desktop|mobile] [--theme light|dark] [scene …]
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startChromium } from "@recourse/test-kit/chromium";
import { SCENES } from "./scenes.ts";
import { openStage, type Size, serveConsole, showScene, THEMES, type Theme, takePicture } from "./stage.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { scale: { type: "string", default: "1" }, size: { type: "string" }, theme: { type: "string" } },
});
const [folder = "pictures", ...names] = positionals;
mkdirSync(folder, { recursive: true });
const browser = await startChromium();
const site = await serveConsole();
for (const size of (values.size === undefined ? ["desktop", "mobile"] : [values.size]) as Size[])
  for (const theme of (values.theme === undefined ? THEMES : [values.theme]) as Theme[]) {
    const stage = await openStage(browser, size, theme, Number(values.scale));
    for (const scene of SCENES.filter(({ name }) => names.length === 0 || names.includes(name))) {
      try {
        const { page, wrong } = await showScene(stage, site.origin, scene);
        writeFileSync(join(folder, `${scene.name}-${size}-${theme}.png`), await takePicture(page));
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (wrong.length > 0 || over > 0) console.log(scene.name, size, theme, { over, wrong });
      } catch (error) {
        console.log(scene.name, size, theme, String(error).split("\n")[0]);
      }
    }
    await stage.close();
  }
await site.close();
await browser.close();
