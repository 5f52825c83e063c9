import { type FaultClass, KINDS, type Kind } from "../fault/kinds.ts";
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
import type { AnyReason } from "../reasons/reason-type.ts";
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
  /** The name of the reason, `domain/name`. */
  readonly id: string;
  /** The kind of failure. */
  readonly kind: Kind;
  /** The class of the kind. */
  readonly class: FaultClass;
  /** The message. `{name}` stands for a value, `[…]` for a part that is left out if its value is missing. */
  readonly text: string;
  /** The name and type of each value. */
  readonly slots: Readonly<Record<string, string>>;
  /** The documentation of the reason. */
  readonly doc: ReasonDoc;
}

type NamedEntries = readonly (readonly [string, CatalogueEntry])[];

/** The reasons of one module. The compiler checks that each of them has documentation. */
function documented<M extends Readonly<Record<string, AnyReason>>>(
  reasons: M,
  docs: { readonly [K in keyof M]: ReasonDoc },
): NamedEntries {
  return Object.entries(reasons).map(([name, reason]) => {
    const { id, kind, text, slots } = reason;
    const types = Object.entries(slots).map(([slot, of]) => [slot, of.optional ? `${of.type}, optional` : of.type]);
    const doc = docs[name as keyof M];
    return [id, { id, kind, class: KINDS[kind].class, text, slots: Object.fromEntries(types), doc }];
  });
}

/** Every reason of the library by its id, sorted: the order of a module's exports is not the same everywhere. */
export const catalogue: Readonly<Record<string, CatalogueEntry>> = Object.freeze(
  Object.fromEntries(
    [
      ...documented(adapter, adapterDocs),
      ...documented(auth, authDocs),
      ...documented(completion, completionDocs),
      ...documented(content, contentDocs),
      ...documented(core, coreDocs),
      ...documented(elicitation, elicitationDocs),
      ...documented(idempotency, idempotencyDocs),
      ...documented(notification, notificationDocs),
      ...documented(pagination, paginationDocs),
      ...documented(progress, progressDocs),
      ...documented(prompt, promptDocs),
      ...documented(protocol, protocolDocs),
      ...documented(resource, resourceDocs),
      ...documented(rest, restDocs),
      ...documented(sampling, samplingDocs),
      ...documented(task, taskDocs),
      ...documented(tool, toolDocs),
      ...documented(transport, transportDocs),
    ].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ),
);

/** Names of reasons that were published once. They are never used again. */
export const RETIRED: readonly string[] = [];
