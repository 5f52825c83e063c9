// Mastra reports its use to a service unless this is set before it is imported.
process.env["MASTRA_TELEMETRY_DISABLED"] = "1";
