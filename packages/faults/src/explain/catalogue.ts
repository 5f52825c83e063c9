import { type FaultClass, KINDS, type Kind } from "../fault/kinds.ts";
import type { AnyReason } from "../reasons/define.ts";
import * as adapter from "../reasons/library/adapter.ts";
import * as auth from "../reasons/library/auth.ts";
import * as completion from "../reasons/library/completion.ts";
import * as content from "../reasons/library/content.ts";
import * as core from "../reasons/library/core.ts";
import * as elicitation from "../reasons/library/elicitation.ts";
import * as idempotency from "../reasons/library/idempotency.ts";
import * as notification from "../reasons/library/notification.ts";
import * as pagination from "../reasons/library/pagination.ts";
import * as progress from "../reasons/library/progress.ts";
import * as prompt from "../reasons/library/prompt.ts";
import * as protocol from "../reasons/library/protocol.ts";
import * as resource from "../reasons/library/resource.ts";
import * as rest from "../reasons/library/rest.ts";
import * as sampling from "../reasons/library/sampling.ts";
import * as task from "../reasons/library/task.ts";
import * as tool from "../reasons/library/tool.ts";
import * as transport from "../reasons/library/transport.ts";
import { adapterDocs } from "./data/adapter.ts";
import { authDocs } from "./data/auth.ts";
import { completionDocs } from "./data/completion.ts";
import { contentDocs } from "./data/content.ts";
import { coreDocs } from "./data/core.ts";
import { elicitationDocs } from "./data/elicitation.ts";
import { idempotencyDocs } from "./data/idempotency.ts";
import { notificationDocs } from "./data/notification.ts";
import { paginationDocs } from "./data/pagination.ts";
import { progressDocs } from "./data/progress.ts";
import { promptDocs } from "./data/prompt.ts";
import { protocolDocs } from "./data/protocol.ts";
import { resourceDocs } from "./data/resource.ts";
import { restDocs } from "./data/rest.ts";
import { samplingDocs } from "./data/sampling.ts";
import { taskDocs } from "./data/task.ts";
import { toolDocs } from "./data/tool.ts";
import { transportDocs } from "./data/transport.ts";
import type { ReasonDoc } from "./doc.ts";

/** One reason of the library with its documentation, as plain data. */
export interface CatalogueEntry {
  readonly id: string;
  readonly kind: Kind;
  readonly class: FaultClass;
  /** The sentence; `{name}` is a value, `[…]` a part that goes when its value is missing. */
  readonly text: string;
  /** Name and type of each value. */
  readonly slots: Readonly<Record<string, string>>;
  readonly doc: ReasonDoc;
}

type Entries = readonly (readonly [string, CatalogueEntry])[];

/** The compiler holds the two sides equal, name by name. */
function entries<M extends Readonly<Record<string, AnyReason>>>(
  reasons: M,
  docs: { readonly [K in keyof M]: ReasonDoc },
): Entries {
  return Object.entries(reasons).map(([name, reason]) => {
    const { id, kind, text, slots } = reason;
    const types = Object.entries(slots).map(([slot, of]) => [slot, of.optional ? `${of.type}, optional` : of.type]);
    const doc = docs[name as keyof M];
    return [id, { id, kind, class: KINDS[kind].class, text, slots: Object.fromEntries(types), doc }];
  });
}

/** Every reason of the library by its id, sorted, since the order of a module's exports is not the same everywhere. */
export const catalogue: Readonly<Record<string, CatalogueEntry>> = Object.freeze(
  Object.fromEntries(
    [
      ...entries(adapter, adapterDocs),
      ...entries(auth, authDocs),
      ...entries(completion, completionDocs),
      ...entries(content, contentDocs),
      ...entries(core, coreDocs),
      ...entries(elicitation, elicitationDocs),
      ...entries(idempotency, idempotencyDocs),
      ...entries(notification, notificationDocs),
      ...entries(pagination, paginationDocs),
      ...entries(progress, progressDocs),
      ...entries(prompt, promptDocs),
      ...entries(protocol, protocolDocs),
      ...entries(resource, resourceDocs),
      ...entries(rest, restDocs),
      ...entries(sampling, samplingDocs),
      ...entries(task, taskDocs),
      ...entries(tool, toolDocs),
      ...entries(transport, transportDocs),
    ].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ),
);
