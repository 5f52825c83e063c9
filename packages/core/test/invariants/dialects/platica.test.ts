import fc from "fast-check";
import { platica } from "../../../src/dialects/platica/dialect.ts";
import { testDialectInvariants } from "../dialect-invariants.ts";

const RAW = [
  "<html>Bad gateway</html>",
  '{"code":404,"error":"Client not found","details":"No client c1"}',
  '{"error":"Must specify a valid workspace: w1, w2","errors":[{"path":["workspace"],"message":"Required","code":"invalid_type"}]}',
  "[1]",
];

testDialectInvariants(
  platica,
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(undefined, { method: "edge" }) },
    { weight: 1, arbitrary: fc.record({ raw: fc.oneof(fc.constantFrom(...RAW), fc.json()) }) },
  ) as never,
);
