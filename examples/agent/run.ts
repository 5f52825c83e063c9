// The same job, called in several ways: node --conditions=@recourse/source examples/agent/run.ts
import { reportOf } from "./report.ts";
import { tell, WAYS } from "./story.ts";

const stories = await Promise.all((Object.keys(WAYS) as (keyof typeof WAYS)[]).map(tell));
console.log(reportOf(stories));
