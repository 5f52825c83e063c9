import type { PatternRule } from "./rule.ts";

const SOURCE =
  "[cm]?[jt]sx?|vue|svelte|pyx?|rb|erb|go|rs|java|kts?|scala|groovy|clj|cs|fs|vb|cc|cpp|cxx|hpp|swift|php|phtml|pl|pm|lua|exs?|erl|hrl|dart|jl|hs|ml|zig|nim|sol|asm|c|h|m|mm|cljs|cfm|aspx?|jsp|sql|sh|ps1|beam|conf|ya?ml|json|toml|xml|tf|html|wasm";

/** Internals of a program: stack frames, source files, classes, and messages of runtimes. */
export const CODE_RULES = [
  {
    id: "code.source-line",
    find: new RegExp(
      `[\\w)\\]-]\\.(?:${SOURCE})["']?(?:[:(]\\d{1,6}\\b|,? (?:on |at )?line:? \\d{1,6}|:in \\W)|:line \\d{1,6}\\b|\\bin \\S{1,200} on line \\d{1,6}|\\bline \\d{1,6}, in [\\w<]|\\bnode:[a-z_]{2,20}(?:/[a-z_]{2,30}){0,4}:\\d`,
      "i",
    ),
  },
  {
    id: "code.frame",
    find: /\bat (?:async |new )?[\w$.<>[\]`]{1,120} ?\((?:[^()]{1,200}:\d{1,6}|<anonymous>|native|Native Method|Unknown Source|node:|file:)|\bat (?:[\w$`]{1,60}\.){1,12}[\w$<>`]{1,80}\(|\bat (?:async )?[\w/.:-]{0,200}[A-Za-z/][\w.-]{0,60}:\d{1,6}:\d{1,6}\b|^\s{0,8}#\d{1,3} +(?:0x|\/|\{main|\w{1,80}(?:::|->)?\w{0,80}\()|\bat 0x[0-9a-f]{4}|\(\w{1,40} \d{1,3}\.\d{1,3}\.\d{1,3}\) lib\/|^\s{0,4}> ?\d{1,6} ?\||\| {1,80}\^|\bwasm(?:-function| trap|:)|\.wasm!|\b[a-z]\w{1,40}:[a-z]\w{1,40}\/\d\b|<0\.\d{1,6}\.0>/,
  },
  {
    id: "code.trace",
    find: /\bTraceback\b|\bCaused by:|\bpanicked at\b|\bpanic: |\bgoroutine \d|\b[Uu]ncaught (?:\w{1,80}(?:Error|Exception)|exception|\()|\bUnhandled (?:exception|promise|rejection|error)|\b[Ss]tack ?[Tt]race\b|\bstack backtrace|RUST_BACKTRACE|\bDuring handling of the above|\bThe above exception|\bException in thread|\bin thread "|\.\.\. \d{1,4} more\b|\bFatal error: |\bPHP (?:Fatal|Warning|Notice|Parse|Deprecated)|\bSIG(?:SEGV|ABRT|BUS|ILL)\b|\*\* \(\w|\bterminate called|\b(?:GenServer|Task) #PID|#PID<|\[ORIGINAL ERROR\]|\bheap out of memory|\bCRASH REPORT|\[cause\]:|\b[Rr]untime error: |\b\d{1,4} validation errors? for [A-Z]|\[type=\w/,
  },
  {
    id: "code.stack-member",
    find: /["']?\b(?:stack|stack_?trace|stackTrace|backtrace|traceback|exception|exceptionClass|exceptionType|debug_?info|debugInfo|stackEntries|innerException)["']\s?:\s?["'[{]/,
  },
  {
    id: "code.class",
    find: /\w\._{0,2}[A-Z]\w{0,60}(?:Exception|Error|Failure|Fault|Violation|Warning|Timeout)\b|\b[A-Z]\w{0,60}::[A-Z]\w|\b[A-Z]\w{0,60}\\{1,2}[A-Z]\w|\b[a-z_]\w{1,40}::[a-z_A-Z]\w{1,60}|\b[A-Z][a-zA-Z]{1,40}\$[A-Z]\w{1,40}/,
  },
  {
    id: "code.exception",
    find: /\b(?!(?:ResourceNotFound|Throttling|Validation|AccessDenied|Conflict|TooManyRequests|ServiceUnavailable|LimitExceeded|ServiceQuotaExceeded|InternalServer|BadRequest|Forbidden|Unauthorized|NotFound|InvalidParameter|InvalidRequest)Exception\b)[A-Z][a-z]\w{0,60}Exception\b|\b[A-Z]{2,5}\w{0,40}Exception\b|\b(?:Type|Reference|Range|Syntax|Eval|URI|Attribute|Key|Index|Name|Import|ModuleNotFound|UnboundLocal|ZeroDivision|Assertion|Recursion|Memory|OS|IO|EOF|Lookup|Overflow|NotImplemented|Runtime|Unicode\w{2,8}|Value|Arithmetic|Integrity|Operational|Programming|Interface|Internal|Data|NoMethod|Argument|Frozen|LoadError|Standard|System|Aggregate|Fatal|Parse)Error\b["']?(?::|\()|\b(?!(?:RateLimit|NotFound|BadRequest|InvalidRequest|PermissionDenied|InternalServer|UnprocessableEntity|ResourceNotFound|TooManyRequests|InvalidParams|InvalidArgument|MethodNotFound|ServiceUnavailable|MissingParameter|ToolNotFound|InvalidInput|RequestTimeout|QuotaExceeded|LimitExceeded|InvalidParameter|AccessDenied|ParseJson|PayloadTooLarge)Error)(?:[A-Z][a-z]{1,20}){2,6}Error: /,
  },
  {
    id: "code.runtime",
    find: /\bCannot (?:read propert(?:y|ies)|set propert(?:y|ies)|destructure|access '|invoke "|find module|convert undefined|use 'in' operator)|\bundefined is not\b|\bis not (?:a function|a constructor|iterable)\b|\bobject has no attribute\b|\bNoneType\b|\bunsupported operand|\btakes \d{1,3} positional|\bmissing \d{1,3} required positional|\blist index out of range|\bname '\w{1,60}' is not defined|\bNo module named\b|\bunhashable type|\bundefined (?:local variable|method)|\buninitialized constant|\bfor nil(?::|\b)|\bcannot be cast to\b|\bnil pointer|\bindex out of range \[|\binvalid memory address|\binterface conversion|\b(?:Result|Option)::unwrap|\bunwrap\(\)|\bObject reference not set|\bValue cannot be null|\bSequence contains|\bCall to (?:a member|undefined)|\bUndefined (?:index|variable|array key|offset|property)|\bAllowed memory size|\bno function clause|\bno match of right hand|\bunexpectedly found nil|\bbad_alloc\b|\binvalid literal for int|\bobject at 0x|\bmodule '[\w.]{1,80}' has no|\bJava heap space|\bGC overhead|\bhas no attribute '|\bNullPointer|\bKeyError\b|\battempt to (?:index|call|compare|perform|concatenate)|\b(?:badmatch|badarg|badarith|function_clause|case_clause)\b/i,
  },
  {
    id: "code.package",
    find: /\b(?:java|javax|jakarta|kotlin|scala|sun|org\.(?:spring\w{0,20}|hibernate|apache|postgresql|elasticsearch|eclipse|jboss|mongodb)|com\.(?:mysql|zaxxer|fasterxml|amazonaws|google|microsoft|mongodb|sun|oracle|acme|example|company|netflix)|io\.(?:netty|grpc|lettuce|quarkus|micronaut)|redis\.clients)\.[a-z]\w{1,30}\.[A-Za-z]|\b(?:psycopg2?|sqlalchemy|botocore|boto3|pymongo|pymysql|asyncpg|aiohttp|urllib3|httpx|requests|django|flask|werkzeug|celery|starlette|fastapi|uvicorn|google\.api_core|google\.auth|azure\.core|azure\.identity|kafka|redis|pydantic_core|sqlite3|cx_Oracle|oracledb|grpc|paramiko|kubernetes)\.(?:exceptions?|errors?|exc|core|db|adapters?|connectionpool|orm|_\w{2,30}|client|rest)\b|\bSystem\.(?:Data|Net|IO|NullReference|Argument|Invalid|Exception|Threading|Web|Security|Text|Collections|Object|Reflection)\b|\bMicrosoft\.(?:Data|AspNetCore|EntityFramework\w{0,12}|Extensions|Azure|Identity)\b|\b(?:tokio|hyper|reqwest|sqlx|diesel|serde_json|actix_web|tonic|anyhow)::|\bgithub\.com\/[\w.-]{1,40}\/[\w.-]{1,40}[./](?:\(|v\d|[\w-]{1,40}\.|internal|pkg)|\bk8s\.io\/|\bwebpack(?:-internal)?:\/\/|\bprisma\.\w{1,40}\.|\btype\.googleapis\.com|\bgoogle\.rpc\./,
  },
  {
    id: "code.address",
    find: /\b0x[0-9a-f]{8,}\b|\+0x[0-9a-f]{2,8}\b/i,
  },
  {
    id: "code.dump",
    find: /^\s{0,8}\[?\s{0,4}\{\s{0,4}\\?["'][\w@$ .-]{1,60}\\?["']\s{0,4}:/,
  },
  {
    id: "code.settings",
    find: /\b(?:DJANGO_SETTINGS_MODULE|NODE_ENV|RAILS_ENV|APP_ENV|SPRING_PROFILES_ACTIVE|ASPNETCORE_ENVIRONMENT|PYTHONPATH|LD_LIBRARY_PATH|JAVA_HOME|GOPATH|KUBECONFIG|[A-Z]{2,12}_(?:HOST|USER|USERNAME|DATABASE|DB|ENDPOINT|DSN|URI|PASSWORD))=[^\s<$]/,
  },
] as const satisfies readonly PatternRule[];

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

const PRODUCTS =
  "nginx|apache|httpd|openresty|caddy|envoy|haproxy|varnish|squid|traefik|istio|tengine|litespeed|lighttpd|iis|microsoft-iis|asp\\.net|tomcat|jetty|undertow|wildfly|jboss|weblogic|websphere|glassfish|gunicorn|uwsgi|uvicorn|hypercorn|werkzeug|waitress|puma|unicorn|passenger|webrick|kestrel|cowboy|netty|spring[- ]?boot|postgres(?:ql)?|pgbouncer|mysql|mariadb|percona|mssql|sql server|mongodb|mongod|redis|valkey|memcached|cassandra|elasticsearch|opensearch|solr|clickhouse|cockroachdb|couchdb|influxdb|kafka|rabbitmq|activemq|zookeeper|consul|etcd|openssl|boringssl|libressl|openssh|openssh_|postfix|exim|sendmail|dovecot|proftpd|vsftpd|pure-ftpd|microsoft exchange|jenkins|grafana|keycloak|wordpress|drupal|joomla|phpmyadmin|openldap|minio|oracle database|bigip|libcurl|glibc|sqlite|debian|ubuntu|centos|alpine linux|red hat|windows server";

/** Messages of the operating system, the network, TLS and shells, and banners of products. */
export const SYSTEM_RULES = [
  {
    id: "system.errno",
    find: /\bE(?:CONN(?:REFUSED|RESET|ABORTED)|NOTFOUND|NOENT|ACCES|PERM|PIPE|HOSTUNREACH|HOSTDOWN|NETUNREACH|NETDOWN|AI_\w{2,12}|TIMEDOUT|SOCKETTIMEDOUT|EXIST|MFILE|NFILE|NOSPC|ADDRINUSE|ADDRNOTAVAIL|ISDIR|NOTDIR|NOTEMPTY|BUSY|ROFS|XDEV|LOOP|PROTO|BADF|NOMEM|FAULT|SRCH|CHILD|DQUOT|STALE|SOCKET|AUTH|TLS|DNS)\b|\bUND_ERR_\w|\bERR_(?:TLS|SSL|HTTP2|SOCKET|MODULE|INVALID|STREAM|OSSL|NETWORK|CONNECTION|CERT|NAME)_\w|\b(?:WSA|HRESULT|errno|Errno|NTSTATUS)\b[\s:=]{0,2}[-\w]?\d|\[Errno|\bos error \d|\b0x8[0-9A-F]{7}\b/,
  },
  {
    id: "system.file",
    find: /\bno such file or directory|\btoo many open files|\bno space left on device|\bread-only file ?system|\boperation not permitted|\bis a directory\b|\bnot a directory\b|\bbad file descriptor|\btext file busy|\bdevice or resource busy|\bstale file handle|\bcannot open shared object|\bcould not find a part of the path|\bcannot find the (?:file|path) specified|\bcommand not found\b|\bCommand failed:|\bexit(?:ed)? (?:with )?(?:code|status|value) ?:?\d|\bnon-zero exit|\bsignal: killed|\bspawn \w{1,40} E|\bout of memory: kill|\bcannot execute binary|\bdisk quota exceeded/i,
  },
  {
    id: "system.socket",
    find: /\bconnection refused\b|\bconnection (?:was )?(?:forcibly closed|reset by peer)|\bbroken pipe\b|\bno route to host|\bnetwork is unreachable|\bname or service not known|\btemporary failure in name resolution|\bnodename nor servname|\bno such host\b|\bdial (?:tcp|udp|unix)\b|\bread (?:tcp|udp) |\bi\/o timeout|\bsocket hang up|\bgetaddrinfo\b|\bgethostbyname|\baddress already in use|\bupstream (?:connect error|prematurely closed|sent|timed out \()|\bwhile reading response header|\bupstream: "|\berror while dialing|\brpc error: code|\bStatusCode\.[A-Z]|^\s{0,4}\d{1,2} [A-Z_]{5,20}: |\bgrpc[-_]status\b|\bHTTPS?ConnectionPool\b|\bMax retries exceeded with|\bNewConnectionError|\bserver closed the connection|\bno resolver|\bcould not resolve host|\bcURL error|\bcurl: \(\d|\bactively refused|\bconnect(?:ion)? timed out after|\bremote end closed|\bERR_CONNECTION|\bNXDOMAIN\b|\bSERVFAIL\b|\bdisconnect\/reset before headers|\bno healthy upstream/i,
  },
  {
    id: "system.tls",
    find: /\bx509:|\bself[- ]signed certificate in|\bcertificate (?:verify failed|is valid for|signed by|subject name|has expired or is not yet)|\bunable to (?:get local issuer|verify the first)|\bSSL routines|\bssl3_|\bDEPTH_ZERO|\bCERT_HAS_EXPIRED|\bUNABLE_TO_|\bPKIX path|\bhandshake[_ ]failure|\btls: |\berror:[0-9A-F]{8}:|\bwrong version number|\bALERT_|\bSSL_ERROR|\bSSL_connect|\bERR_TLS|\bCERTIFICATE_VERIFY|\b[Hh]ostname\/IP does not match|\bcert(?:ificate)?'s altnames|\bserial(?: number)?[:=] ?[0-9a-f:]{8}|\bCN ?= ?[\w.*-]{2}/i,
  },
  {
    id: "system.shell",
    find: /\bssh: |\b(?:psql|pg_dump|pg_restore|mysqldump|mongodump|redis-cli|aws|gcloud|terraform|helm): (?:error|fatal|could)|\bPermission denied \((?:publickey|password|keyboard)|\bHost key verification|\bkex_exchange|\bfatal: (?:unable|could not|repository|authentication|not a git|remote|refusing|bad|ambiguous)|\bremote: |\brefs\/(?:heads|remotes|tags)\/\w|\bsudo: |\b(?:ba|z|k)?sh: (?:line )?\d{0,5}|\bbash: |\bnpm ERR!|\byarn error|\berror Command "|\bmake: \*\*\*|\bdocker: |\bError from server \(|\bsystemd\[|\buid=\d/i,
  },
  {
    id: "system.mail",
    find: /\b[245]\d\d[ -][245]\.\d{1,3}\.\d{1,3}\b|\bRCPT TO|\bMAIL FROM:|\bEHLO \w|\brelay access denied|\bSMTP (?:error|code|server) ?\d|\b5\d\d (?:relay|mailbox|user unknown|authentication)/i,
  },
  {
    id: "system.directory",
    find: /\b(?:CN|OU|DC|UID|O)=[^,=]{1,60},\s?(?:CN|OU|DC|O|C|L|ST)=|\bLDAP: error|\bAcceptSecurityContext|\bdata 5[23]\w\b|\bldap_\w{2,20}|\bLdapErr|\bsAMAccountName|\bKerberos\b.{0,40}@|\bKRB5|\bkrb5|\bNT AUTHORITY\\|\bNT_STATUS_|\bSTATUS_LOGON|\bGSSAPI/i,
  },
  {
    id: "system.banner",
    find: new RegExp(
      `\\b(?:${PRODUCTS})(?:/| |-|_|: ?| v| version )v?\\d{1,4}(?:\\.\\d{1,6}){1,3}[\\w.-]{0,40}(?!\\s?(?:\\+|or\\b|and (?:later|newer|above|up))|[\\w.])|\\b(?:node|node\\.js|python|cpython|php|ruby|perl|java|openjdk|go|dotnet|express|django|rails|laravel|symfony|flask|fastify|axios|undici|urllib3|python-requests|okhttp|curl|go-http-client|apache-httpclient|mozilla|docker|containerd|kubernetes|linux|cloudflare|akamaighost|awselb|envoy|mod_\\w{2,12})/v?\\d{1,4}(?:\\.\\d{1,6}){0,3}`,
      "i",
    ),
  },
  {
    id: "system.platform",
    find: /\bx86_64-|\baarch64-|\blinux-(?:gnu|musl)\b|\b(?:Server|X-Powered-By|Via|X-AspNet-Version|X-Served-By|X-Backend(?:-Server)?|X-Runtime|X-Upstream):\s?\w|\bcompiled by\b|\bLinux \S{1,64} \d\.\d|\bDarwin Kernel|\b\d{1,2}\.\d{1,3}\.\d{1,3}-\d{1,4}-(?:generic|aws|azure|gcp|amd64)|\b-?\d?ubuntu\d|\.el[6789]\b|\bPowered by \w{2,30} \d|\bRunning on .{1,40}\d\.\d/,
  },
] as const satisfies readonly PatternRule[];

/** Texts in errors of clouds, identity providers and edge networks. */
export const PROVIDER_RULES = [
  {
    id: "provider.arn",
    find: /\barn:[a-z-]{2,20}:|\b(?:acs|crn|ocid1\.|urn:(?:ibm|ocid)):[a-z0-9]/i,
  },
  {
    id: "provider.resource",
    find: /\b(?:projects|organizations|folders|billingAccounts|tenants)\/(?![{<:])[\w.:-]{2,}\/\w|\/subscriptions\/[0-9a-f-]{4}|\bresourceGroups\/|\bproviders\/Microsoft\.|\bzones\/[a-z]{2,}-[a-z]+\d|\blocations\/[a-z0-9-]{4,30}\/\w|\bserviceAccounts\/|\bsecrets\/[\w-]{1,80}\/versions|\/aws\/(?:lambda|ecs|rds)\/|\blog-group:|\bs3:\/\//,
  },
  {
    id: "provider.denied",
    find: /\bis not authorized to perform|\bAn error occurred \(\w{1,60}\) when calling|\bUser: \S{1,80} is not|\bwith an explicit deny|\bno (?:identity|resource)-based policy|\bassumed-role\b|\b(?:iam|sts|kms|s3|ec2|rds|dynamodb|lambda|sqs|sns|logs|ecr|ssm|secretsmanager|cloudformation|eks|route53|cloudwatch|storage|compute|bigquery|pubsub|container|cloudkms|secretmanager|resourcemanager)[:.][A-Za-z.]{2,40}(?:\.(?:get|list|create|delete|update|access|use)\b|(?<=[:.](?:[A-Z][a-z]{1,20}){2,6}))(?!\()|\bservice account\b.{0,60}(?:@|does not|lacks|not have)|\bConsumer '|\bproject(?: number|_number)?[:= ]["']?\d{6,}|\b(?:aws )?account(?: id)?[:= #]{1,3}\d{12}\b|\bdoes not have \w{2,40}\.\w{2,40}\.\w{2,40} (?:access|permission)|\bcaller does not have|\bAuthorizationFailed\b|\bover scope '|\bin the directory\b|\bMissing or insufficient permissions for resource/,
  },
  {
    id: "provider.identity",
    find: /\bAADSTS\d|\bAADB2C\d|\bMSIS\d{3}|\bMSAL|\bE0000\d{3}\b|\bOKTA-\w|\bTrace ID: |\bCorrelation ID: |\b(?:tenant|directory|realm|user ?pool|application|client|app)[ _-]?(?:id|identifier)?[:= ]{1,2}["'`]?(?=[\w-]{0,40}[-_]\w{0,20}\d|[\w-]{0,40}\d[\w]{0,20}[-_])[a-z][\w-]{5,60}|\b(?:us|eu|ap|ca|sa)-[a-z]{4,10}-\d_[A-Za-z0-9]{6,}|\bKeycloak\b|\binvalid_grant\b.{0,80}\b(?:user|session|realm|client) ["']|\bin realm\b/,
  },
  {
    id: "provider.edge",
    find: /\bRay ID\b|\bcf-ray\b|\bReference (?:ID|Number)?:? ?#?\d{1,3}\.[0-9a-f]{4}|\bx-(?:amzn?|amz-cf|vercel|served|cache|request|envoy|b3|kong|azure|ms|goog|guploader|fastly|akamai|ratelimit-policy)-\w[\w-]{0,40}:\s?\S|\bx-(?:amzn?|amz-cf|vercel|ms|goog|envoy|b3)-\w{2}|\b(?:RequestId|Request ID|HostId|AmzRequestId|x-request-id|requestId|trace_?id|traceparent|span_?id|ActivityId)["']?\s?[:=]\s?["']?[\w/+=-]{8,}|\b(?:RequestId|HostId|request-id|ActivityId):\s?(?=[\w-]{0,12}\d)\w|\btenant_?id["']?\s?[:=]\s?["']?(?=[a-z-]{0,30}\d)[\w-]{3}|\bGenerated by cloudfront|\bVarnish XID|\bsupport ID is|\berror code: 10\d\d|\bXID: ?\d|\bIncident ID:? [\w-]{12}/i,
  },
  {
    id: "provider.object-id",
    find: /\b(?:ch|pi|cus|sub|in|pm|re|tok|acct|evt|price|prod|seti|cs|req|txn|po|tr|card|src|si|ii|ba|py|dp|ipi|we|file|link|plink|org|proj|user|asst|thread|run|msg|resp|batch|chatcmpl|call|inv|conn|app|usr|ses|sess|key|env|dep|dpl|prj|team|wf|job)_(?:(?:live|test)_)?(?=[A-Za-z]{0,30}\d)(?=[\d]{0,30}[A-Za-z])[A-Za-z0-9]{10,}\b|\bchatcmpl-\w{8}/,
  },
  {
    id: "provider.sap",
    find: /\/IWBEP\/|\b(?:RFC|ABAP|BAPI)[ _](?:error|dump|exception|call)|\bin (?:system|program) [A-Z][A-Z0-9_]{2}|\bZ[A-Z]{0,3}_[A-Z0-9_]{4,}/,
  },
  {
    id: "provider.rules",
    find: /\bfor '(?:get|list|create|update|delete|read|write)' @ L\d|\bmatch \/\w{1,40}\/\{/,
  },
  {
    id: "provider.tenant",
    find: /\btenant ["'`]?[a-z0-9]{2,30}[-_][\w-]{2,}|\bbelongs to (?:the )?(?:tenant|customer|organi[sz]ation|org|account|user|company|client) ["'`]?(?=\w{0,30}[-_\d"'`]|[A-Z])[\w-]{2,}/,
  },
  {
    id: "provider.flag",
    find: /\b(?:feature[ _-]?)?(?:flag|toggle|experiment|cohort|rollout|variant|kill ?switch)\s?[:=]?\s?["'`]?(?!-)[a-z0-9]{1,40}[_.-][\w.-]{2,}|\bcohort [A-Z]\d|\b(?:launchdarkly|optimizely|statsig|unleash)\b/i,
  },
] as const satisfies readonly PatternRule[];
