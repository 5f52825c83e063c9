// Names on the wire: keys in `_meta`, in `error.data` and in `capabilities.extensions`, of MCP and of Recourse.

/** The prefix of keys in `_meta`. It is not a domain name. */
export const NAMESPACE = "recourse";

/** The key of a fault, in `_meta` of a tool result and in `data` of a JSON-RPC error. */
export const FAULT_KEY: string = `${NAMESPACE}/fault`;

/** The key of the facts about an attempt in `_meta` of a request: `{ id, attempt, deadlineMs, key? }`. */
export const CALL_KEY: string = `${NAMESPACE}/call`;

/**
 * The extension with which client and server announce faults, and whether idempotency keys are honoured. MCP asks for a reversed
 * domain as its prefix.
 */
export const FAULTS_EXTENSION = "io.github.recourse-mcp/faults";

/** The key of the list of reasons that a tool declares in its `_meta`. */
export const DECLARES_KEY: string = `${NAMESPACE}/declares`;

/** The key in `_meta` of a listed tool whose calls a person has to approve; its value is `required`. */
export const APPROVAL_KEY: string = `${NAMESPACE}/approval`;

/** The key of the codes of these reasons in the dialect of the server, in the same order. */
export const CODES_KEY: string = `${NAMESPACE}/codes`;

const MCP = "io.modelcontextprotocol/";

/** The key in `_meta` with which a request names its revision. */
export const VERSION_KEY: string = `${MCP}protocolVersion`;

/** The key in `_meta` with which a request names its client. */
export const CLIENT_INFO_KEY: string = `${MCP}clientInfo`;

/** The key in `_meta` with which a request says what its client can do. */
export const CLIENT_CAPABILITIES_KEY: string = `${MCP}clientCapabilities`;

/** The key in `_meta` with which a result names its server. */
export const SERVER_INFO_KEY: string = `${MCP}serverInfo`;

/** The key in `_meta` with which a request asks for log messages. */
export const LOG_LEVEL_KEY: string = `${MCP}logLevel`;

/** The key in `_meta` with which a notification names the subscription that it belongs to. */
export const SUBSCRIPTION_ID_KEY: string = `${MCP}subscriptionId`;

/** The key in `_meta` with which a message of the older era names the task that it belongs to. */
export const RELATED_TASK_KEY: string = `${MCP}related-task`;

/** The extension with which client and server of the newer era announce tasks. */
export const TASKS_EXTENSION: string = `${MCP}tasks`;
