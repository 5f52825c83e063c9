import { arrayAt, memberAt, objectAt, stringAt } from "./json.ts";

/** The addresses in a `servers` list, with the defaults of their variables; where they lead is for the operator to allow. */
export function serversIn(holder: unknown): readonly string[] {
  return arrayAt(holder, "servers")
    .slice(0, 32)
    .map(addressOf)
    .filter((address) => address !== undefined);
}

function addressOf(server: unknown): string | undefined {
  const variables = objectAt(server, "variables");
  let isWhole = true;
  const address = stringAt(server, "url")?.replaceAll(/\{([^{}]{1,64})\}/g, (_, name: string) => {
    const value = memberAt(objectAt(variables, name), "default");
    isWhole &&= typeof value === "string";
    return String(value);
  });
  return isWhole && address !== undefined && address.length <= 2_048 ? address : undefined;
}
