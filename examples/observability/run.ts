// Prints the trace of one job: agent, MCP server, REST API.
import { runStory } from "./story.ts";
import { treeOf } from "./tree.ts";

const { spans } = await runStory();
console.log(treeOf(spans));
