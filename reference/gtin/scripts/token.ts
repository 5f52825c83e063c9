// Prints a token for the demo client, valid for a day: TOKEN_SECRET=… node scripts/token.ts qr:generate
import { randomUUID } from "node:crypto";
import { tokensWith } from "../src/access/tokens.ts";
import { readConfig } from "../src/config.ts";

const DAY_MS = 86_400_000;
const config = readConfig({ DATABASE_URL: "", ...process.env });
if ("wrong" in config || typeof config.tokenSecret !== "string") {
  console.error(
    "wrong" in config ? config.wrong : "TOKEN_SECRET is missing: give the one that the server was started with",
  );
  process.exit(1);
}
const claims = { subject: "demo", id: randomUUID(), scopes: process.argv.slice(2) };
console.log(await tokensWith(config.tokenSecret).sign(claims, DAY_MS));
