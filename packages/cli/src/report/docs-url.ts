const DOCS = "https://github.com/recourse-mcp/recourse/blob/main/docs";

/** The page of a check. */
export function docsOf(id: string): string {
  return `${DOCS}/checks/${id}.md`;
}

/** The page that says how the score is made. */
export const SCORE_PAGE = `${DOCS}/cli/score.md`;
