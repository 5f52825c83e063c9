// Express 5, SDK 1.x with sessions, which also need GET and DELETE.
import { edgeErrorHandler, guardHandler, toNodeListener } from "@recourse/faults/server";
import express from "express";
import { withSessions } from "./sessions-v1.ts";
import { authenticate } from "./tokens.ts";

const handler = guardHandler(withSessions, { name: "orders", auth: { authenticate }, methods: ["GET", "DELETE"] });

export const app = express();
app.use(express.json());
app.all("/mcp", toNodeListener(handler));
app.use("/mcp", edgeErrorHandler({ name: "orders" }));
