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
