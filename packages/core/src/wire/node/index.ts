export { type Child, type ChildExit, type ChildOptions, hostEnvironment, type StopWaits, startChild } from "./child.ts";
export { ProxyError, proxyCredential, trustAlso, viaProxy } from "./connector.ts";
export { createProxyChoice, type ProxyChoice, type ProxyRules, parseProxy, readProxyRules } from "./proxy-rules.ts";
export { openPipes, type RawOutcome, type RawResponse, sendRaw } from "./raw-client.ts";
