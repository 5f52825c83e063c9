/** What `/.well-known/gs1resolver` says about this resolver. */
export function resolverDescription(publicUrl: string): object {
  return {
    name: "Recourse reference resolver for GTIN",
    resolverRoot: publicUrl,
    supportedPrimaryKeys: ["01"],
    supportedLinkTypes: [{ namespace: "https://ref.gs1.org/voc/", prefix: "gs1:" }],
    linkTypeDefaultCanBeLinkset: false,
    validationBehaviour: ["GTIN check digits, the order of qualifiers and dates are checked; 400 otherwise."],
  };
}
