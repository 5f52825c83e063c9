import { auth, core, tool } from "@recourse/faults/reasons";
import * as z from "zod";
import { buildDigitalLink, fitsQualifier, QUALIFIERS, type Qualifier } from "../digital-link/digital-link.ts";
import { qrSvg } from "../qr/svg.ts";
import { gtinArgument, PUBLIC_GTIN_REASONS, readPublicGtin } from "./gtin-argument.ts";
import { defineOperation } from "./operation.ts";

/** The arguments that qualify a product, and their GS1 identifiers. */
const QUALIFIER_ARGUMENTS = {
  variant: "22",
  lot: "10",
  serial: "21",
  third_party_serial: "235",
} as const satisfies Record<string, Qualifier>;
type QualifierArgument = keyof typeof QUALIFIER_ARGUMENTS;
const QUALIFIER_ARGUMENT_NAMES = Object.keys(QUALIFIER_ARGUMENTS) as readonly QualifierArgument[];

const qualifierArgument = (name: QualifierArgument) =>
  z
    .string()
    .min(1)
    .max(QUALIFIERS[QUALIFIER_ARGUMENTS[name]])
    .describe(`GS1 identifier ${QUALIFIER_ARGUMENTS[name]}.`)
    .optional();

/** Builds the Digital Link of a product and its QR code. The host is always this server: a free choice would help phishing. */
export const generateQrUrl = defineOperation({
  name: "generate_qr_url",
  title: "Generate a QR code",
  description: "Gives the GS1 Digital Link of a product, and a QR code of it as SVG. Needs the scope qr:generate.",
  access: { scope: "qr:generate" },
  input: z.object({
    gtin: gtinArgument,
    variant: qualifierArgument("variant"),
    lot: qualifierArgument("lot"),
    serial: qualifierArgument("serial"),
    third_party_serial: qualifierArgument("third_party_serial"),
  }),
  reasons: [
    auth.insufficient_scope,
    tool.invalid_arguments,
    ...PUBLIC_GTIN_REASONS,
    core.validation_failed,
    core.unprocessable,
  ],
  changes: false,
  async run(input, { publicUrl }) {
    const digits = readPublicGtin(input.gtin);
    const given = QUALIFIER_ARGUMENT_NAMES.flatMap((name) =>
      input[name] === undefined ? [] : [[name, input[name]] as const],
    );
    checkCharacters(given);
    // GS1 does not allow other qualifiers beside a third party's serial number.
    if (input.third_party_serial !== undefined && given.length > 1) {
      throw core.unprocessable(
        {},
        { issues: [{ pointer: "/third_party_serial", rule: "custom", expected: "the only qualifier" }] },
      );
    }
    const qualifiers = Object.fromEntries(given.map(([name, value]) => [QUALIFIER_ARGUMENTS[name], value]));
    const url = buildDigitalLink({ gtin: digits, qualifiers, attributes: {} }, publicUrl);
    return { gtin: digits, url, svg: qrSvg(url) };
  },
});

function checkCharacters(given: readonly (readonly [QualifierArgument, string])[]): void {
  const issues = given
    .filter(([name, value]) => !fitsQualifier(QUALIFIER_ARGUMENTS[name], value))
    .map(
      ([name]) =>
        ({ pointer: `/${name}`, rule: "format", expected: "characters that GS1 allows in identifiers" }) as const,
    );
  if (issues.length > 0) throw core.validation_failed({}, { issues });
}
