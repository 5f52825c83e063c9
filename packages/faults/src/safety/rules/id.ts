import { isGs1Key } from "./digits.ts";
import type { PatternRule } from "./rule.ts";

/** Ids of other systems. */
export const ID_RULES = [
  {
    id: "id.uuid",
    find: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
    confirm: ([uuid]) => !EXAMPLES.has(uuid.toLowerCase()) && !/^0{8}-/.test(uuid),
  },
  {
    id: "id.hex",
    find: /(?<![A-Za-z0-9])(?=[0-9]{0,30}[a-f]|[A-F0-9]{0,30}[A-F])(?=[a-fA-F]{0,30}[0-9])(?:[0-9a-f]{16,}|[0-9A-F]{16,})(?![A-Za-z0-9])/,
  },
  {
    id: "id.digits",
    find: /(?<![\w.()-])\d{17,19}(?![\w.()-])/g,
    confirm: ([digits]) => !isGs1Key(digits),
  },
  {
    id: "id.row",
    find: /\b(?:user|tenant|account|customer|org|organization|member|owner|patient|employee|session|device|row|record|internal|company|merchant|subscriber|workspace|profile|person|client|shop|store|pk|db)_?(?:id|pk|no|uid|guid)?["']?\s?[=:]\s?["']?\d{4,}|\b(?:row|record|pk|primary key|oid|ctid|rowid) (?:id )?["'#(]?\d{4,}|\b_id["']?\s?[:=]|\bObjectId\(|\b(?:user|tenant|employee|patient|shard|worker|pid|uid|gid)\s?#?\d{5,}|\bpid[ =:]\d{2,}|\[pid|\bprocess \d{3,}|\btenant_?\d|\b(?:uid|gid|pid)=\d/i,
  },
] as const satisfies readonly PatternRule[];

const EXAMPLES = new Set(["123e4567-e89b-12d3-a456-426614174000", "550e8400-e29b-41d4-a716-446655440000"]);
