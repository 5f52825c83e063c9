import type { PatternRule } from "./rule.ts";

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
