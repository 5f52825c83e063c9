// Prints a token for the demo client, valid for a day: TOKEN_SECRET=… node scripts/token.ts qr:generate
import { randomUUID } from "node:crypto";
import { createTokens } from "../src/access/tokens.ts";
import { readConfig } from "../src/config.ts";

const DAY_MS = 86_400_000;
const config = readConfig({ DATABASE_URL: "", ...process.env });
if ("problem" in config || typeof config.tokenSecret !== "string") {
  console.error(
    "problem" in config ? config.problem : "TOKEN_SECRET is missing: set the one that the server was started with",
  );
  process.exit(1);
}
const claims = { subject: "demo", id: randomUUID(), scopes: process.argv.slice(2) };
console.log(await createTokens(config.tokenSecret).sign(claims, DAY_MS));
