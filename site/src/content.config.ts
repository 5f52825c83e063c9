// Tells Astro where the pages are. They are written by build/write-pages.ts from the Markdown of the repository.

import { defineCollection } from "astro:content";
import { docsSchema } from "@astrojs/starlight/schema";
import { glob } from "astro/loaders";
import { z } from "astro/zod";

export const collections = {
  docs: defineCollection({
    loader: glob({
      base: "./.pages",
      pattern: "**/*.md",
      generateId: ({ entry }) => entry.replace(/(?:\/index)?\.md$/, ""),
    }),
    schema: docsSchema({ extend: z.object({ source: z.string().optional(), generatedBy: z.string().optional() }) }),
  }),
};
