import { type Kind, SEVERITY_BY_KIND } from "@recourse/core";
import type { KindDoc } from "../doc.ts";
import kinds from "./kinds.json" with { type: "json" };

const KIND_WORDS: Readonly<Record<Kind, Omit<KindDoc, "severity">>> = kinds;

/** Documentation of the kinds, for reasons without documentation. */
export const KIND_DOCS = Object.fromEntries(
  (Object.keys(kinds) as Kind[]).map((kind) => [kind, { ...KIND_WORDS[kind], severity: SEVERITY_BY_KIND[kind] }]),
) as Readonly<Record<Kind, KindDoc>>;
