import { describe, expect, it } from "vitest";
import { WIRE_SCHEMA_FILES } from "../support/wire-schemas.ts";

const schemas = new Map(
  WIRE_SCHEMA_FILES.map(([path, text]) => [path, JSON.parse(text) as Record<string, unknown>]),
);

describe("the published JSON Schemas of the wire", () => {
  it("cover every message", () => {
    expect([...schemas.keys()]).toEqual([
      "wire/ask.schema.json",
      "wire/accepted.schema.json",
      "wire/progress.schema.json",
      "wire/decision.schema.json",
      "wire/refused.schema.json",
      "wire/withdrawn.schema.json",
      "wire/receipt.schema.json",
      "wire/cancel.schema.json",
      "wire/presence.schema.json",
      "wire/ctl-list.schema.json",
      "wire/ctl-list-answer.schema.json",
      "wire/ctl-show.schema.json",
      "wire/ctl-show-answer.schema.json",
      "wire/ctl-answer.schema.json",
      "wire/ctl-answer-answer.schema.json",
      "wire/ctl-grants.schema.json",
      "wire/ctl-grants-answer.schema.json",
      "wire/ctl-revoke.schema.json",
      "wire/ctl-revoke-answer.schema.json",
      "wire/ctl-refused.schema.json",
    ]);
  });

  it.each([...schemas])(
    "%s lets the revision be left out and a newer field come",
    (_path, schema) => {
      expect(schema).toHaveProperty("properties.v", { type: "number", const: 1 });
      expect(schema["required"]).not.toContain("v");
      expect(JSON.stringify(schema)).not.toContain("additionalProperties");
    },
  );

  it("demand of an ask exactly its required fields", () => {
    expect(schemas.get("wire/ask.schema.json")).toHaveProperty("required", [
      "id",
      "createdAt",
      "expiresAt",
      "requesterSessionId",
      "targetSessionId",
      "requesterAgentName",
      "nonce",
    ]);
  });

  it("demand the one spelling of a nonce", () => {
    expect(schemas.get("wire/ask.schema.json")).toHaveProperty(
      "properties.nonce.pattern",
      "^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$",
    );
  });
});
