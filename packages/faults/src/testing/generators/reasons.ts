import type { Fault } from "../../fault/fault.ts";
import type { AnyReason } from "../../reasons/define.ts";
import * as adapter from "../../reasons/library/adapter.ts";
import * as auth from "../../reasons/library/auth.ts";
import * as completion from "../../reasons/library/completion.ts";
import * as content from "../../reasons/library/content.ts";
import * as core from "../../reasons/library/core.ts";
import * as elicitation from "../../reasons/library/elicitation.ts";
import * as idempotency from "../../reasons/library/idempotency.ts";
import * as notification from "../../reasons/library/notification.ts";
import * as pagination from "../../reasons/library/pagination.ts";
import * as progress from "../../reasons/library/progress.ts";
import * as prompt from "../../reasons/library/prompt.ts";
import * as protocol from "../../reasons/library/protocol.ts";
import * as resource from "../../reasons/library/resource.ts";
import * as rest from "../../reasons/library/rest.ts";
import * as sampling from "../../reasons/library/sampling.ts";
import * as task from "../../reasons/library/task.ts";
import * as tool from "../../reasons/library/tool.ts";
import * as transport from "../../reasons/library/transport.ts";
import type { Rest } from "../../reasons/sparing.ts";

/** A reason of the library, called with anything: its slots refuse what does not fit. */
export type LooseReason = AnyReason & { fault(params?: unknown, rest?: Rest): Fault };

const MODULES = {
  ...{ adapter, auth, completion, content, core, elicitation, idempotency, notification, pagination },
  ...{ progress, prompt, protocol, resource, rest, sampling, task, tool, transport },
};

/** Every reason of the library. */
export const REASONS: readonly LooseReason[] = Object.values(MODULES).flatMap(
  (module) => Object.values(module) as unknown as LooseReason[],
);
