import type { PatternRule } from "./rule.ts";

/** Paths of a file system. JSON pointers and URL paths look alike, so the first folder must be one of a system. */
export const PATH_RULES = [
  {
    id: "path.posix",
    find: /(?<![\w.~/*)}\]-])\/(?:bin|boot|etc|home|lib64|lib|mnt|nix|opt|proc|root|sbin|snap|srv|sys|tmp|usr|Users|var|Volumes|workspace|workspaces|www|Applications|Library|node_modules|private\/(?:var|tmp|etc)|run\/\w{2,}|dev\/(?:shm|sd|nvme|tty|null|mapper|disk|urandom|xvd)|app\/[\w.@-]{1,80}|go\/(?:src|pkg)|github\/workspace|System\/Library|usr\/local)(?:\/[^\s'"`)]|(?=[\s'"`):,.;]|$)(?<=lib64|nix|sbin|tmp|proc|root|\/\w{2,12}\/[\w.@-]{1,80}))/,
  },
  {
    id: "path.file",
    find: /(?<![\w.~/*)}\]:-])\/(?!api\/|v\d|docs?\/|\.well-known\/|static\/|assets\/|\/)(?:[\w.@+-]{1,80}\/){1,12}[\w.@+-]{0,80}\.(?!(?:js|io|net|ai|dev)\b(?!\w|\/))[a-z][a-z0-9]{1,5}(?![\w/])/i,
  },
  {
    id: "path.denied",
    find: /\/[\w.-]{1,80}\/[\w.-]{1,80}["']?: (?:permission denied|access denied|not a directory|is a directory)/i,
  },
  {
    id: "path.home",
    find: /(?<![\w/])~\w{0,32}\/[\w.]|\$HOME\b|\$\{HOME\}|%(?:APPDATA|USERPROFILE|LOCALAPPDATA|ProgramFiles|ProgramData|TEMP|SystemRoot|windir)%/i,
  },
  {
    id: "path.windows",
    find: /(?<![A-Za-z0-9\]])[A-Za-z]:\\{1,4}[\w$. -]{2,}|\b[A-Za-z]:\/(?:Users|Windows|Program|ProgramData|inetpub|xampp|wamp|build|src|work|jenkins|agent|actions|a|dev|git|repos|projects|temp)\b/i,
  },
  { id: "path.unc", find: /(?<![\w\\])\\{2,4}[\w.-]{2,63}\\{1,2}[\w$.-]{2,}/ },
  {
    id: "path.traversal",
    find: /\.\.\/\.\.\/|\.\.\\{1,2}\.\.\\/,
  },
  {
    id: "path.known",
    find: /\bnode_modules[\\/]|\b(?:site|dist)-packages\b|(?:^|[\s/\\'"])\.(?:git|ssh|aws|kube|docker|gnupg|config|cache|npm|m2|gradle)[\\/]\w|\bid_(?:rsa|ed25519|ecdsa|dsa)\b|\bWEB-INF\b|\bwwwroot\b|\binetpub\b|\bhtdocs\b|\bpublic_html\b|\bauthorized_keys\b|\.(?:sock|jks|kdbx|ppk|pgpass|netrc|htpasswd)\b|\.s\.PGSQL\b|\bvendor\/bundle\b|\btarget\/(?:debug|release)\b|\bapp\.asar\b|\bfile:\/{1,3}\w/i,
  },
  {
    id: "path.key-file",
    find: /[\w.-]\/[\w.-]{1,80}\.(?:pem|key|pfx|p12|keystore|kubeconfig|crt|env|ini|conf|cfg|properties|sqlite3?|db|bak|log)\b/i,
  },
] as const satisfies readonly PatternRule[];
