import { randomBytes } from "node:crypto";
import { digestOf } from "./digest.ts";

/** A new API key. */
export interface MintedKey {
  /** The key itself. It is shown once and stored nowhere. */
  readonly key: string;
  /** The part by which people and the database find it. It is no secret. */
  readonly prefix: string;
  /** What is stored. A slow hash protects passwords, which can be guessed; 32 random bytes cannot, and each request is checked. */
  readonly sha256: string;
}

const KEY = /^rk_([0-9a-f]{8})_[A-Za-z0-9_-]{43}$/;
const PREFIX_BYTES = 4;
const SECRET_BYTES = 32;

/** Makes a key: `rk_`, eight characters to find it by, and 32 random bytes. */
export function mintKey(random: (size: number) => Buffer = randomBytes): MintedKey {
  const prefix = random(PREFIX_BYTES).toString("hex");
  const key = `rk_${prefix}_${random(SECRET_BYTES).toString("base64url")}`;
  return { key, prefix, sha256: digestOf(key) };
}

/** The prefix of a text that has the form of a key. */
export function prefixOf(text: string): string | undefined {
  return KEY.exec(text)?.[1];
}
