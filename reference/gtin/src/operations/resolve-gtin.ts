import { tool } from "@recourse/faults/reasons";
import * as z from "zod";
import { chooseLinks, type Link, parseAcceptLanguage } from "../links/choose-links.ts";
import { gtin } from "../reasons.ts";
import { gtinArgument, PUBLIC_GTIN_REASONS, readPublicGtin } from "./gtin-argument.ts";
import { type Dependencies, defineOperation } from "./operation.ts";

/** A GTIN and the link that the caller wants. */
export interface ResolveQuery {
  readonly gtin: string;
  readonly linkType?: string | undefined;
  /** The value of an `Accept-Language` header. */
  readonly language?: string | null | undefined;
}

/** The best links of a product, at least one. The resolver for browsers uses it too. */
export async function resolve(
  question: ResolveQuery,
  { catalogue }: Dependencies,
): Promise<readonly [Link, ...Link[]]> {
  const product = await catalogue.linked(question.gtin);
  if (product === undefined) throw gtin.not_found({ gtin: question.gtin });
  const wish = { linkType: question.linkType, languages: parseAcceptLanguage(question.language) };
  const choice = chooseLinks(product.links, wish);
  if ("links" in choice) return choice.links;
  const { none, available } = choice;
  if (available.length === 0) throw gtin.no_link({ gtin: product.gtin });
  const reason = none === "default" ? gtin.no_default_link : gtin.link_type_unavailable;
  throw reason({ gtin: product.gtin, available }, { recourse: [{ do: "choose_another", candidates: available }] });
}

/** Resolves a GTIN to a link. It never follows the link. */
export const resolveGtin = defineOperation({
  name: "resolve_gtin",
  title: "Resolve a GTIN",
  description: "Gives the link that a GTIN leads to: the default one, or one of a link type such as gs1:instructions.",
  access: "limited",
  input: z.object({
    gtin: gtinArgument,
    link_type: z.string().max(100).describe("Such as gs1:pip; the default link unless given.").optional(),
    language: z.string().max(100).describe("Such as de, or a list as in Accept-Language.").optional(),
  }),
  reasons: [
    tool.invalid_arguments,
    ...PUBLIC_GTIN_REASONS,
    gtin.not_found,
    gtin.no_link,
    gtin.no_default_link,
    gtin.link_type_unavailable,
  ],
  changes: false,
  async run({ gtin: value, link_type: linkType, language }, parts) {
    const digits = readPublicGtin(value);
    const [first, ...others] = await resolve({ gtin: digits, linkType, language }, parts);
    return { gtin: digits, ...toOutput(first), ...(others.length > 0 && { alternatives: others.map(toOutput) }) };
  },
});

function toOutput({ linkType, href, title, languages }: Link) {
  return { link_type: linkType, url: href, title, ...(languages.length > 0 && { languages }) };
}
