import { memberAt } from "../../json/read.ts";
import { invalid_cursor } from "../../reasons/library/pagination.ts";
import type { SdkRequest } from "../../sdk/server.ts";

/** Lists that may come in pages. */
const PAGED: readonly string[] = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];

/**
 * Runs the handler of a list. A cursor that its server never made is refused: the SDK's own handlers have no pages, and
 * answer any cursor with the whole list, so a client that goes on with it reads the same list again and again. The list that
 * comes without the cursor shows it: the next page of a list is another page.
 */
export async function runPage(request: SdkRequest, run: (request: SdkRequest) => Promise<unknown>): Promise<unknown> {
  const page = await run(request);
  const cursor = memberAt(request.params, "cursor");
  // An empty cursor is the habit of clients that ask for the first page.
  if (!PAGED.includes(request.method) || typeof cursor !== "string" || cursor === "") return page;
  if (await isFirstPage(page, request, run)) throw invalid_cursor({ cursor });
  return page;
}

async function isFirstPage(
  page: unknown,
  request: SdkRequest,
  run: (request: SdkRequest) => Promise<unknown>,
): Promise<boolean> {
  try {
    const { cursor: _cursor, ...params } = request.params ?? {};
    return JSON.stringify(page) === JSON.stringify(await run({ ...request, params }));
  } catch {
    return false;
  }
}
