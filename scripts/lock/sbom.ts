// The bill of materials of a published package in CycloneDX 1.6, from the lock alone.
import { type Lock, nameAt, runtimeNeeds, runtimeReach } from "./lock.ts";

/** Options of `createSbom`. */
export interface SbomOptions {
  /** The folder of the package. */
  readonly folder: string;
  /** When it was made, as an ISO 8601 time. @default left out, so that the same lock gives the same file */
  readonly timestamp?: string | undefined;
}

interface Component {
  readonly type: "library";
  readonly "bom-ref": string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly object[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}

/** Everything that a package brings to its users at run time, with versions, licences, hashes and who needs whom. */
export function createSbom(lock: Lock, { folder, timestamp }: SbomOptions) {
  const reached = runtimeReach(lock, folder);
  const component = (path: string) => componentAt(lock, path);
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { ...(timestamp !== undefined && { timestamp }), component: component(folder) },
    components: reached.map(component),
    dependencies: [folder, ...reached].map((path) => ({
      ref: component(path)["bom-ref"],
      dependsOn: runtimeNeeds(lock, path)
        .map((need) => component(need)["bom-ref"])
        .sort(),
    })),
  };
}

function componentAt(lock: Lock, path: string): Component {
  const { version = "0.0.0", license, integrity } = lock.packages[path] ?? {};
  const full = nameAt(lock, path);
  const [group, name] = full.startsWith("@") ? (full.split("/") as [string, string]) : [undefined, full];
  const purl = `pkg:npm/${full.replace("@", "%40")}@${version}`;
  return {
    type: "library",
    "bom-ref": purl,
    ...(group !== undefined && { group }),
    name,
    version,
    purl,
    ...(license !== undefined && { licenses: [licenseOf(license)] }),
    ...(integrity !== undefined && { hashes: [hashOf(integrity)] }),
  };
}

function licenseOf(text: string): object {
  if (/ (?:OR|AND|WITH) /.test(text)) return { expression: text };
  return { license: /^[\w.+-]+$/.test(text) ? { id: text } : { name: text } };
}

/** The hash of the registry (`sha512-` and base64) as CycloneDX writes it. */
function hashOf(integrity: string) {
  const [, bits = "", base64 = ""] = /^sha(\d+)-(\S+)/.exec(integrity) ?? [];
  return { alg: `SHA-${bits}`, content: Buffer.from(base64, "base64").toString("hex") };
}
