import type { PatternRule } from "./rule.ts";

/** Statements of databases. */
export const DATABASE_RULES = [
  {
    id: "database.statement",
    cut: { to: "statement" },
    find: /\bSELECT\s[^;]{1,120}\sFROM\s["'`[\w]|\bINSERT INTO\s\S|\bUPDATE\s[\w."`[\]]{1,80}\sSET\s|\bDELETE FROM\s["'`[\w]|\b(?:DROP|ALTER|CREATE|TRUNCATE|LOCK)\s(?:TABLE|INDEX|VIEW|DATABASE|SCHEMA|FUNCTION|TRIGGER|ROLE|USER|SEQUENCE)\s["'`[\w]|\b(?:LEFT|INNER|RIGHT|OUTER|CROSS) JOIN\b|\bWHERE\s["'`(\w.]{1,60}\s?(?:=|<|>|IN\b|LIKE\b|IS\b)|\bORDER BY\s\S{1,60}\s(?:ASC|DESC)\b|\bGROUP BY\s\w|\bVALUES\s?\(|\bUNION (?:ALL )?SELECT|\bLIMIT \d{1,9} OFFSET|\bGRANT \w{3,12} ON\b/,
  },
  {
    id: "database.statement-lower",
    cut: { to: "statement" },
    find: /\bselect\s(?:\*|[\w."`]{1,60}(?:\s?,\s?[\w."`*]{1,60}){1,20}|count\([^)]{0,40}\))\sfrom\s["'`\w]|\bselect\s[\w.*, "`]{1,120}\sfrom\s[\w."`]{1,60}\swhere\s|\binsert into\s[\w."`]{1,60}\s?\(|\bupdate\s[\w."`]{1,60}\sset\s[\w."`]{1,60}\s?=|\bdelete from\s[\w."`]{1,60}\swhere\b|\bwhere\s[\w.]{1,60}\s?=\s?(?:'|\$\d|\?|:\w|%s)|\bdrop table\s\w/i,
  },
] as const satisfies readonly PatternRule[];

/** Names of resources in clouds. */
export const PROVIDER_RULES = [
  {
    id: "provider.arn",
    cut: { to: "token" },
    find: /\barn:[a-z-]{2,20}:|\b(?:acs|crn|ocid1\.|urn:(?:ibm|ocid)):[a-z0-9]/i,
  },
  {
    id: "provider.resource",
    cut: { to: "token" },
    find: /\b(?:projects|organizations|folders|billingAccounts|tenants)\/(?![{<:])[\w.:-]{2,}\/\w|\/subscriptions\/[0-9a-f-]{4}|\bresourceGroups\/|\bproviders\/Microsoft\.|\bzones\/[a-z]{2,}-[a-z]+\d|\blocations\/[a-z0-9-]{4,30}\/\w|\bserviceAccounts\/|\bsecrets\/[\w-]{1,80}\/versions|\/aws\/(?:lambda|ecs|rds)\/|\blog-group:|\bs3:\/\//,
  },
] as const satisfies readonly PatternRule[];
