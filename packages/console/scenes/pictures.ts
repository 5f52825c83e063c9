// Compares two pictures in the browser, which reads PNG files anyway.
import { existsSync } from "node:fs";
import type { BrowserContext } from "playwright-core";

/** Pictures look alike only with the fonts that they were made with. */
export const HAS_FONTS: boolean = ["/usr/share/fonts/opentype/inter", "/usr/share/fonts/truetype/jetbrains-mono"].every(
  (folder) => existsSync(folder),
);

/** The share of pixels that may differ. */
export const MAX_DIFFERENCE = 0.001;

/** Smaller differences of a channel are rounding. */
const CHANNEL = 24;

/** The share of pixels that differ, from 0 to 1; 1 if the sizes differ. */
export async function comparePictures(context: BrowserContext, one: Buffer, other: Buffer): Promise<number> {
  if (one.equals(other)) return 0;
  const page = await context.newPage();
  try {
    return await page.evaluate(
      async ([first, second, channel]) => {
        const read = async (base64: string) => {
          const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
          const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
          const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
          canvas?.drawImage(image, 0, 0);
          return canvas?.getImageData(0, 0, image.width, image.height);
        };
        const [a, b] = await Promise.all([read(first), read(second)]);
        if (!a || !b || a.width !== b.width || a.height !== b.height) return 1;
        let different = 0;
        for (let at = 0; at < a.data.length; at += 4) {
          const isFar = [0, 1, 2].some(
            (part) => Math.abs((a.data[at + part] ?? 0) - (b.data[at + part] ?? 0)) > channel,
          );
          if (isFar) different += 1;
        }
        return different / (a.data.length / 4);
      },
      [one.toString("base64"), other.toString("base64"), CHANNEL] as const,
    );
  } finally {
    await page.close();
  }
}
