import { isNightly } from "@recourse/test-kit/runs";
import fc from "fast-check";
import decodeQR from "qr/decode.js";
import { expect, test } from "vitest";
import { digitalLink } from "../../test/support/arbitraries.ts";
import { buildDigitalLink } from "../digital-link/digital-link.ts";
import { qrSvg } from "./svg.ts";

/** Paints the squares of the path, since an outline of squares is all that the picture has. */
function painted(svg: string): { width: number; height: number; data: Uint8Array } {
  const [, size = "0"] = /viewBox="[-\d.]+ [-\d.]+ ([\d.]+)/.exec(svg) ?? [];
  const [, path = ""] = / d="([^"]+)"/.exec(svg) ?? [];
  return { ...raster(path, Number(size), 8) };
}

/** Fills the outline by the even-odd rule, each module as a square of pixels. */
function raster(path: string, modules: number, scale: number) {
  const edges: [x: number, from: number, to: number][] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  for (const [, command = "", rest = ""] of path.matchAll(/([MmLlHhVvZz])([^MmLlHhVvZz]*)/g)) {
    const numbers = (rest.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
    const [toX, toY] = moved(command, numbers, [x, y], [startX, startY]);
    if (toY !== y && !/[Mm]/.test(command)) edges.push([x, Math.min(y, toY), Math.max(y, toY)]);
    [x, y] = [toX, toY];
    if (/[Mm]/.test(command)) [startX, startY] = [x, y];
  }
  const pad = 4;
  const width = modules * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (let row = 0; row < modules; row++) {
    for (let column = 0; column < modules; column++) {
      const [cx, cy] = [column - pad + 0.5, row - pad + 0.5];
      const crossings = edges.filter(([at, from, to]) => at < cx && from < cy && cy < to).length;
      if (crossings % 2 === 1) fill(data, width, column * scale, row * scale, scale);
    }
  }
  return { width, height: width, data };
}

type Point = readonly [number, number];

function moved(command: string, numbers: readonly number[], [x, y]: Point, start: Point): Point {
  const [a = 0, b = 0] = numbers;
  switch (command) {
    case "M":
    case "L":
      return [a, b];
    case "m":
    case "l":
      return [x + a, y + b];
    case "H":
      return [a, y];
    case "h":
      return [x + a, y];
    case "V":
      return [x, a];
    case "v":
      return [x, y + a];
    default:
      return start;
  }
}

function fill(data: Uint8Array, width: number, left: number, top: number, size: number): void {
  for (let y = top; y < top + size; y++) {
    for (let x = left; x < left + size; x++) data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
  }
}

test("another library reads the text back from the picture", () => {
  const text = "https://id.example.com/01/09520123456788/10/ABC";
  expect(decodeQR(painted(qrSvg(text)))).toBe(text);
});

test("any link", () => {
  fc.assert(
    fc.property(digitalLink, (link) => {
      const uri = buildDigitalLink(link, "https://id.example.com");
      expect(decodeQR(painted(qrSvg(uri)))).toBe(uri);
    }),
    { numRuns: isNightly ? 20 : 8 },
  );
});
