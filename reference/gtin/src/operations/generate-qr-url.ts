import { core } from "@recourse/faults";
import * as z from "zod";
import { buildDigitalLink } from "../digital-link/build.ts";
import { fitsQualifier, QUALIFIERS, type Qualifier } from "../digital-link/identifiers.ts";
import { qrSvg } from "../qr/svg.ts";
import { gtin } from "../reasons.ts";
import { gtinArgument, readPublicGtin } from "./gtin-argument.ts";
import { operation } from "./operation.ts";

/** The arguments that narrow a product down, and GS1's identifiers for them. */
const ARGUMENTS = { variant: "22", lot: "10", serial: "21", third_party_serial: "235" } as const satisfies Record<
  string,
  Qualifier
>;
type Narrowing = keyof typeof ARGUMENTS;
const NAMES = Object.keys(ARGUMENTS) as readonly Narrowing[];

const narrowing = (name: Narrowing) =>
  z.string().min(1).max(QUALIFIERS[ARGUMENTS[name]]).describe(`GS1 identifier ${ARGUMENTS[name]}.`).optional();

/** Gives the Digital Link of a product and its QR code. The host is always ours: others would make it a tool for phishing. */
export const generateQrUrl = operation({
  name: "generate_qr_url",
  title: "Generate a QR code",
  description: "Gives the GS1 Digital Link of a product, and a QR code of it as SVG. Needs the scope qr:generate.",
  access: { scope: "qr:generate" },
  input: z.object({
    gtin: gtinArgument,
    variant: narrowing("variant"),
    lot: narrowing("lot"),
    serial: narrowing("serial"),
    third_party_serial: narrowing("third_party_serial"),
  }),
  reasons: [gtin.invalid, gtin.restricted_circulation, gtin.not_a_trade_item, core.unprocessable],
  changes: false,
  async run(input, { publicUrl }) {
    const digits = readPublicGtin(input.gtin);
    const given = NAMES.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]] as const]));
    checkCharacters(given);
    // GS1 allows the number of a third party only by itself.
    if (input.third_party_serial !== undefined && given.length > 1) throw core.unprocessable();
    const qualifiers = Object.fromEntries(given.map(([name, value]) => [ARGUMENTS[name], value]));
    const url = buildDigitalLink({ gtin: digits, qualifiers, attributes: {} }, publicUrl);
    return { gtin: digits, url, svg: qrSvg(url) };
  },
});

function checkCharacters(given: readonly (readonly [Narrowing, string])[]): void {
  const issues = given
    .filter(([name, value]) => !fitsQualifier(ARGUMENTS[name], value))
    .map(
      ([name]) =>
        ({ pointer: `/${name}`, rule: "format", expected: "characters that GS1 allows in identifiers" }) as const,
    );
  if (issues.length > 0) throw core.validation_failed({}, { issues });
}
