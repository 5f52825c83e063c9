// The shop as a program: `node --conditions=@recourse/source main.ts --stdio [--defect name]`, or `--http`.
import process from "node:process";
import { parseArgs } from "node:util";
import { EVERY_DEFECT } from "./defects/index.ts";
import { startBadServer } from "./http.ts";
import { serveShop } from "./stdio.ts";

const { values } = parseArgs({
  options: { stdio: { type: "boolean" }, http: { type: "boolean" }, defect: { type: "string" } },
});
const name = values.defect;
const defect = name === undefined ? undefined : EVERY_DEFECT[name];
if (name !== undefined && defect === undefined) throw new Error(`There is no defect "${name}".`);
if (values.http === true) console.error((await startBadServer({ ...(defect !== undefined && { defect }) })).url.href);
else serveShop(defect, process);
