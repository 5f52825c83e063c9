import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PAGE_SIZE, PICTURES, type PictureName, pictureFiles } from "../pictures/table.ts";

const PICTURES_FOLDER = join(import.meta.dirname, "../../docs/pictures");
const PICTURE_MARK = /^<!-- picture: ([a-z-]{1,40}) -->$/gm;

/** Puts pictures into a page of docs/cli, with their text: `<!-- picture: name -->`. */
export function embedPictures(text: string): string {
  return text.replace(PICTURE_MARK, (_, name: string) => {
    if (!Object.hasOwn(PICTURES, name)) throw new Error(`There is no picture ${name}`);
    return embedPicture(name as PictureName);
  });
}

function embedPicture(name: PictureName): string {
  const { light, dark, text } = pictureFiles(name);
  // A page is drawn larger than it is shown.
  const size = text === undefined ? ` width="${0.8 * PAGE_SIZE.width}"` : "";
  const picture = `<picture><source media="(prefers-color-scheme: dark)" srcset="../pictures/${dark}"><img src="../pictures/${light}" alt="${PICTURES[name].title}"${size}></picture>`;
  if (text === undefined) return picture;
  const output = readFileSync(join(PICTURES_FOLDER, text), "utf8").trimEnd();
  return `${picture}\n\n<details><summary>The same as text</summary>\n\n\`\`\`text\n${output}\n\`\`\`\n\n</details>`;
}
