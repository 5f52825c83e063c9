import process from "node:process";
import type { Defect } from "../defect.ts";
import { asksWarehouse, findsNothing, says, searches } from "./calls.ts";
import { argumentsIn } from "./replies.ts";

/** Servers that give something away. */
export const LEAK = {
  "leak-stack": {
    on: "both",
    change: says(findsNothing, "There is no such item.\n    at findItem (find-item.js:12:9)"),
  },
  "leak-credential": {
    on: "both",
    change: says(findsNothing, "mongodb://shop:s3cr3t-Pa55@db.example.com/items has no such item."),
  },
  // Only a process that the probe starts has the planted variable.
  "leak-environment": {
    on: "stdio",
    change: says(searches, (said) => `${said} ${process.env["RECOURSE_PROBE_CANARY"] ?? ""}`),
  },
  "leak-path": { on: "both", change: says(findsNothing, "There is no such item in /home/ada/shop/items.json.") },
  "leak-network": { on: "both", change: says(asksWarehouse, "The warehouse at 10.0.0.5:5432 does not answer.") },
  "leak-sql": { on: "both", change: says(findsNothing, "No row for SELECT id, price FROM items.") },
  "leak-runtime-text": {
    on: "both",
    change: says(findsNothing, "Cannot read properties of undefined (reading 'price')"),
  },
  "leak-echo-secret": {
    on: "both",
    change: says(searches, (said, incoming) => {
      const { limit } = argumentsIn(incoming);
      return typeof limit === "string" && limit.startsWith("sk-") ? `${said} You sent ${limit}.` : said;
    }),
  },
} as const satisfies Record<string, Defect>;
