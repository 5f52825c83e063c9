// Pictures of the pages. In the repository they follow the system's theme; on the site they follow the reader's choice.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FIGURES, renderFigure } from "../figures/index.ts";
import { ROOT } from "./sources.ts";

const PICTURE =
  /<picture>\s*<source [^>]*srcset="([^"]+)-dark\.(svg|png)"[^>]*>\s*<img [^>]*?alt="([^"]*)"[^>]*>\s*<\/picture>/g;

/** Width and height of a PNG, from its first chunk. */
function readSize(file: string): { readonly width: number; readonly height: number } | undefined {
  if (!file.endsWith(".png")) return undefined;
  const bytes = readFileSync(join(ROOT, "docs/pictures", file));
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Replaces the pictures of a page: drawings become part of it, others become one for each theme. */
export function placePictures(markdown: string): string {
  return markdown.replaceAll(PICTURE, (_, path: string, type: string, alt: string) => {
    const name = path.split("/").at(-1) ?? "";
    const figure = FIGURES.find((one) => one.name === name);
    // An empty line would end the block of HTML.
    if (figure !== undefined) return renderFigure(figure).replaceAll(/\n+/g, "");
    const size = readSize(`${name}-light.${type}`);
    const sizes = size === undefined ? "" : ` width="${size.width}" height="${size.height}"`;
    return (["light", "dark"] as const)
      .map((theme) => `<img class="${theme}-only" src="${path}-${theme}.${type}"${sizes} loading="lazy" alt="${alt}">`)
      .join("");
  });
}
