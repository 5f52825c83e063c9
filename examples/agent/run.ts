// The same job, called in several ways: node --conditions=@recourse/source examples/agent/run.ts
import { reportOf } from "./report.ts";
import { playStory, WAYS } from "./story.ts";

const stories = await Promise.all((Object.keys(WAYS) as (keyof typeof WAYS)[]).map(playStory));
console.log(reportOf(stories));
