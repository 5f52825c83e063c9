export { type Child, type ChildExit, type ChildOptions, hostEnvironment, type StopWaits, startChild } from "./child.ts";
export {
  type Connect,
  type ConnectorOptions,
  type ConnectTarget,
  ProxyError,
  proxyCredential,
  trustAlso,
  viaProxy,
} from "./connector.ts";
export { onOneLine, withMetaMember, withSpans } from "./json-edit.ts";
export {
  createProxyChoice,
  type ProxyChoice,
  type ProxyProblem,
  type ProxyRules,
  parseProxy,
  readProxyRules,
} from "./proxy-rules.ts";
export {
  openPipes,
  type RawOutcome,
  type RawProgramOptions,
  type RawRequest,
  type RawResponse,
  sendRaw,
} from "./raw-client.ts";
