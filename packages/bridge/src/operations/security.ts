import { arrayAt, entriesOf, isObject, memberAt, objectAt, stringAt } from "@recourse/core/wire";
import { type Document, resolvedObject } from "../document/document.ts";
import type { SecurityRequirement } from "./operation.ts";

/** A security scheme: how the API expects a credential. */
export type SecurityScheme =
  | { readonly type: "apiKey"; readonly in: "query" | "header" | "cookie"; readonly key: string }
  | { readonly type: "http"; readonly scheme: string }
  | { readonly type: "oauth2" | "openIdConnect" | "mutualTLS" };

/** The security schemes of a document by name; schemes that cannot be read are left out. */
export function readSecuritySchemes(document: Document): ReadonlyMap<string, SecurityScheme> {
  const all = entriesOf(objectAt(objectAt(document.root, "components"), "securitySchemes"));
  const read = all.map(([name, node]) => [name, readScheme(resolvedObject(document, node))] as const);
  return new Map(read.flatMap(([name, scheme]) => (scheme === undefined ? [] : [[name, scheme]])));
}

function readScheme(node: unknown): SecurityScheme | undefined {
  const type = stringAt(node, "type");
  const [place, key, scheme] = [stringAt(node, "in"), stringAt(node, "name"), stringAt(node, "scheme")];
  switch (type) {
    case "apiKey":
      if (key === undefined || (place !== "query" && place !== "header" && place !== "cookie")) return undefined;
      return { type, in: place, key };
    case "http":
      return scheme === undefined ? undefined : { type, scheme: scheme.toLowerCase() };
    case "oauth2":
    case "openIdConnect":
    case "mutualTLS":
      return { type };
    default:
      return undefined;
  }
}

export function readSecurity(document: Document, operation: unknown): readonly SecurityRequirement[] {
  const own = memberAt(operation, "security");
  const all = Array.isArray(own) ? own : arrayAt(document.root, "security");
  return all.filter(isObject).map((one) =>
    Object.keys(one).map((scheme) => ({
      scheme,
      scopes: arrayAt(one, scheme).filter((scope) => typeof scope === "string"),
    })),
  );
}
