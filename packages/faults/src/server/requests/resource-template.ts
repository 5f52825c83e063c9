import { memberAt } from "../../json/read.ts";
import type { SdkRequest, SdkServer } from "../../sdk/server.ts";

/** The template that serves the resource of a request; undefined where a resource of its own does, or none. */
export function templateOf({ method, params }: SdkRequest, server: SdkServer): string | undefined {
  const { _registeredResources: resources, _registeredResourceTemplates: templates } = server;
  if (method !== "resources/read" || templates === undefined) return undefined;
  try {
    const uri = new URL(String(params?.["uri"])).toString();
    if (memberAt(resources, uri) !== undefined) return undefined;
    const all = Object.values(templates).map(({ resourceTemplate }) => resourceTemplate?.uriTemplate);
    return all.find((template) => template?.match(uri))?.toString();
  } catch {
    return undefined;
  }
}
