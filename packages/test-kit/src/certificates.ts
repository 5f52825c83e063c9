// X.509 certificates for tests. Node can read them, but not make them.
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** A certificate with its key, as TLS servers take them. */
export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateOptions {
  readonly name: string;
  /** @default it signs itself */
  readonly issuer?: TestCertificate & { readonly name: string };
  /** Whether it may sign others. @default false */
  readonly authority?: boolean;
  /** Days from now. @default -10 and 10 */
  readonly days?: readonly [from: number, to: number];
}

export function createCertificate({
  name,
  issuer,
  authority = false,
  days = [-10, 10],
}: CertificateOptions): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const signer: KeyObject = issuer === undefined ? privateKey : createPrivateKey(issuer.key);
  const body = sequence(
    tagged(0xa0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(0x40), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    commonName(issuer?.name ?? name),
    sequence(...days.map(time)),
    commonName(name),
    publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(...(authority ? [MAY_SIGN] : []), alternativeName(name))),
  );
  const signature = tagged(0x03, Buffer.concat([Buffer.of(0), sign("sha256", body, signer)]));
  const der = sequence(body, ECDSA_WITH_SHA256, signature);
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${(der.toString("base64").match(/.{1,64}/g) ?? []).join("\n")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

/** One DER value. */
function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, ...parts);
const integer = (bytes: Buffer): Buffer => tagged(0x02, bytes);
const objectId = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, "hex"));
const octets = (content: Buffer): Buffer => tagged(0x04, content);
const TRUE = Buffer.of(1, 1, 0xff);

const ECDSA_WITH_SHA256 = sequence(objectId("2a8648ce3d040302"));
const MAY_SIGN = sequence(objectId("551d13"), TRUE, octets(sequence(TRUE)));

function commonName(name: string): Buffer {
  return sequence(tagged(0x31, sequence(objectId("550403"), tagged(0x0c, Buffer.from(name)))));
}

function alternativeName(name: string): Buffer {
  const isAddress = /^\d+(?:\.\d+){3}$/.test(name);
  const entry = isAddress ? tagged(0x87, Buffer.from(name.split(".").map(Number))) : tagged(0x82, Buffer.from(name));
  return sequence(objectId("551d11"), octets(sequence(entry)));
}

function time(days: number): Buffer {
  const text = new Date(Date.now() + days * 86_400_000).toISOString();
  return tagged(0x18, Buffer.from(`${text.replaceAll(/[-:T]/g, "").slice(0, 14)}Z`));
}
