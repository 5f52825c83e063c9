export { type Child, type ChildExit, type ChildOptions, hostEnvironment, type StopWaits, startChild } from "./child.ts";
export { onOneLine, withMetaMember, withSpans } from "./json-edit.ts";
export {
  openPipes,
  type RawOutcome,
  type RawProgramOptions,
  type RawRequest,
  type RawResponse,
  sendRaw,
} from "./raw-client.ts";
