import type { NextConfig } from "next";

// Next looks for the root of a project by lock files, and finds that of this repository when it runs inside of it.
export default {
  turbopack: { root: import.meta.dirname },
  outputFileTracingRoot: import.meta.dirname,
} satisfies NextConfig;
