import { correction, generate } from "lean-qr";
import { toSvgSource } from "lean-qr/extras/svg";

/** The width of the white border, in modules. */
const QUIET_ZONE = 4;

/** A QR code as an SVG document. */
export function qrSvg(text: string): string {
  const code = generate(text, { minCorrectionLevel: correction.M });
  return toSvgSource(code, { on: "#000", off: "#fff", pad: QUIET_ZONE, scale: 4, xmlDeclaration: true });
}
