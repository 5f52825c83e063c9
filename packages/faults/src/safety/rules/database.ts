import type { PatternRule } from "./rule.ts";

/** Statements, names and messages of data stores and brokers. */
export const DATABASE_RULES = [
  {
    id: "database.statement",
    find: /\bSELECT\s[^;]{1,120}\sFROM\s["'`[\w]|\bINSERT INTO\s\S|\bUPDATE\s[\w."`[\]]{1,80}\sSET\s|\bDELETE FROM\s["'`[\w]|\b(?:DROP|ALTER|CREATE|TRUNCATE|LOCK)\s(?:TABLE|INDEX|VIEW|DATABASE|SCHEMA|FUNCTION|TRIGGER|ROLE|USER|SEQUENCE)\s["'`[\w]|\b(?:LEFT|INNER|RIGHT|OUTER|CROSS) JOIN\b|\bWHERE\s["'`(\w.]{1,60}\s?(?:=|<|>|IN\b|LIKE\b|IS\b)|\bORDER BY\s\S{1,60}\s(?:ASC|DESC)\b|\bGROUP BY\s\w|\bVALUES\s?\(|\bUNION (?:ALL )?SELECT|\bLIMIT \d{1,9} OFFSET|\bGRANT \w{3,12} ON\b/,
  },
  {
    id: "database.statement-lower",
    find: /\bselect\s(?:\*|[\w."`]{1,60}(?:\s?,\s?[\w."`*]{1,60}){1,20}|count\([^)]{0,40}\))\sfrom\s["'`\w]|\bselect\s[\w.*, "`]{1,120}\sfrom\s[\w."`]{1,60}\swhere\s|\binsert into\s[\w."`]{1,60}\s?\(|\bupdate\s[\w."`]{1,60}\sset\s[\w."`]{1,60}\s?=|\bdelete from\s[\w."`]{1,60}\swhere\b|\bwhere\s[\w.]{1,60}\s?=\s?(?:'|\$\d|\?|:\w|%s)|\bdrop table\s\w/i,
  },
  {
    id: "database.constraint",
    find: /\bviolates\s[\w -]{1,40}constraint|\bconstraint (?:failed|violation|violated|["'`[]?\w{1,60}["'`]?\s(?:fails|failed|violated|does))|\b(?:unique|foreign key|check|not[- ]null|primary key|exclusion|integrity) constraint\b|\bduplicate (?:key|entry) |\bdup key\b|\bFailing row contains|\bis (?:still referenced from|not present in) table|\bKey \([\w, ]{1,80}\)=\(|\bnull value in column|\bVIOLATION of\b|\bstatement conflicted with|\bCannot insert (?:duplicate|the value NULL)|\bcannot be null\b.{0,5}\bcolumn\b/i,
  },
  {
    id: "database.name",
    find: /\b(?:IDX|uq|UQ|uk|UK|fk|FK|idx|ix|ck|df)_[A-Za-z0-9_]{3,}|\b[a-z][a-z0-9_]{2,60}_(?:pkey|fkey|idx|uniq|seq)\b|"[a-z][a-z0-9]{1,30}_[a-z0-9_]{1,30}_(?:key|unique|check|fk)"/,
  },
  {
    id: "database.object",
    find: /\b(?:relation|table|schema|constraint|keyspace|tablespace|sequence|trigger|vhost|shard|materialized view|stored procedure|procedure)\s(?:["'`[][\w.$-]{2,80}["'`\]]|[\w.]{0,60}[a-z0-9]_[\w.]{1,60}|[a-z]\w{1,40}\.[a-z]\w{1,40}|[a-z]\w{1,40} (?:does not|doesn't|doesnt|already) exist)|\bcolumn\s["'`[]?(?:[\w$]{1,60}[_.][\w.$]{1,60}|\w{1,60}["'`\]]? (?:does not|doesn't|of relation|of table|cannot be null|in (?:'|where)))|\b(?:buckets?|topics?|queues?|index|indices|collection|database|dataset|stream|exchange|view|subscription|lock|mutex|lease|consumer group|cluster|replica set|role|partition|hash key|cache|namespace|repository)\s?:?\s?(?:["'`[][a-z0-9][\w$]{0,60}[_.:/-][\w.:$/-]{1,80}["'`\]]|[a-z][a-z0-9]{0,40}(?:_[a-z0-9]{1,40}){1,6}\b|[a-z][a-z0-9]{1,40}\.[a-z][\w.]{1,40}(?=[\s,;)]|$)|[a-z]{2,30}-[a-z0-9-]{0,40}\d\b)/i,
  },
  {
    id: "database.phrase",
    find: /\b(?:Unknown|Invalid) (?:column|object|table|database)\b(?: name)?\s["'`[]|\bno such (?:table|column|collection|index|function|database|bucket|key)\b|\btable ["'`]?[\w.]{1,80}["'`]? (?:doesn't exist|does not exist|not found|already exists)|\bsyntax error at or near|\berror in your SQL|\bsyntax to use near|\bnear "[^"]{1,60}": syntax|\b[Ii]ncorrect syntax near|\bunterminated (?:quoted|string)|\binvalid input (?:syntax|value) for|\bvalue too long for type|\bout of range for (?:type|column)|\bfor column '|\bdeadlock (?:detected|found)|\block wait timeout|\bcould not serialize|\bcanceling statement|\bcurrent transaction is aborted|\btoo many connections|\bremaining connection slots|\bsorry, too many clients|\bauthentication failed for|\baccess denied for user|\blogin failed for user|\brole "\S{1,60}" (?:does|is)|\bdatabase "\S{1,60}" (?:does|is)|\bpermission denied for (?:table|relation|schema|database|sequence|function|view|column)|\bmust be owner of|\bcannot open database|\bwould be truncated|\bunable to open database|\bdatabase (?:is locked|disk image|file is)|\bin a read-only transaction|\bconnection to server at|\bdatabase system is|\bpg_hba|\bpg_(?:catalog|stat_activity|class|sleep|dump|roles|shadow|authid|user)\w{0,20}|\binformation_schema|\bsqlite_master|\bmysql\.user|\bprepared statement "|\bbind message supplies|\bDETAIL: |\bHINT: |\bPL\/(?:pg)?SQL|\bno row in \w|\brows? in [a-z]{1,30}_\w|\bQuery failed:|\bSQL(?:State| compilation| error| logic)|\[SQL: |\bparameters: \[|\bconnection pool (?:timeout|exhausted|is)|\bpool (?:timed out|exhausted)|\bHikariPool|\btransaction \d{4,}|\b(?:Seq|Index|Bitmap Heap) Scan (?:on|using)|\bcost=\d|\bConversion failed when|\bto data type\b|\bCannot query field|" on (?:field|type) "/i,
  },
  {
    id: "database.code",
    find: /\bORA-\d{4,5}\b|\bSQLSTATE|\bER_[A-Z][A-Z_]{3,}|\bE11000\b|\bP[1-6]0\d{2}\b|\bSQLITE_[A-Z]{3,}|\b(?:ERROR|Error) [12]\d{3}\b ?(?:\(|:)|\b(?:ERROR|FATAL|PANIC): {1,2}[a-z]|\bSQL\d{4,5}N\b|\bMsg \d{2,5}, Level|\bTNS[:-]|\b(?:NJS|DPI|DPY|PLS|PCC)-\d{3,5}\b|\b(?:NOAUTH|WRONGPASS|CLUSTERDOWN|WRONGTYPE|MISCONF|NOSCRIPT|BUSYGROUP|EXECABORT|CROSSSLOT|NOREPLICAS|NOPERM|NOPROTO|MASTERDOWN|NOGROUP|TRYAGAIN|UNKILLABLE)\b|\b(?:MOVED|ASK) \d{1,5} |\bREADONLY You|\bLOADING Redis|\bOOM command|\bERR (?:unknown|wrong|value|invalid|syntax|max|Client|AUTH|no such)|\bDB::Exception|\bNeo\.\w{3,20}\.|\b(?:LEADER_NOT_AVAILABLE|UNKNOWN_TOPIC_OR_PARTITION|NOT_LEADER_\w{3,20}|GROUP_COORDINATOR\w{0,20}|TOPIC_AUTHORIZATION\w{0,10}|COORDINATOR_NOT\w{0,12}|OFFSET_OUT_OF_RANGE|REBALANCE_IN_PROGRESS)\b|\b(?:57P0[1-3]|53[1-4]00|23505|23503|23502|42P01|42703|42601|40P01|28P01|28000|3D000|08006)\b/,
  },
  {
    id: "database.driver",
    find: /\bMongo(?:Server|Network|Bulk|Parse|Write|Timeout|ose|Client|Topology)?(?:Selection)?Error\b|\bReplicaSetNoPrimary|\bWriteConflict\b|\bnot (?:master|primary) and|\b\w{2,60}_exception\b|\bNoHostAvailable|\bunconfigured table|\bSequelize\w{1,40}|\bQueryFailedError|\bTypeORM|\bActiveRecord|\bSQLAlchemy|\bHibernate\b|\bJDBC\b|\bodbc driver|\[Microsoft\]\[|\bODBC\b.{0,20}\bDriver\b|\bPrisma(?:Client)?(?:KnownRequest|Unknown|Initialization|Validation)?(?:Error)?\b.{0,40}\b(?:invocation|P\d|Error)|\bknex\b|\bpsycopg|\bpgx?: |\bpq: |\bmysql_\w|\bmysqli\b|\bPDO(?:Exception|::)|\bOCI8?\w{0,12}\(|\bioredis\b|\bReplyError\b|\bJedis\w{2,20}|\bKafkaJS\w{2,40}|\brdkafka|\bBroker: |\bnot present in metadata|\bPartition \d{1,5}\b|\bProvisionedThroughput|\bRequested resource not found: Table|\bNoSuchBucket|\bNoSuchKey\b|\bInvalid `prisma|\bOperationalError|\bIntegrityError|\bProgrammingError|\bDatabaseError\b|\bchannel error; protocol|\bPRECONDITION_FAILED - |\bNOT_FOUND - no (?:queue|exchange)|\bACCESS_REFUSED\b|\bvhost\b|\bdocument_missing|\bshard failed|\ball shards failed|\bfailed to parse field|\bno such index|\bKeeperErrorCode|\[(?:Consumer|Producer|AdminClient) clientId|\bgroupId=\w|\bCan't connect to (?:local )?\w{0,12}SQL|\b(?:bucket|topic|queue|lock|lambda|cron|exchange|cluster) [a-z0-9]{2,20}(?:-[a-z0-9]{2,20}){2,6}\b/i,
  },
] as const satisfies readonly PatternRule[];
