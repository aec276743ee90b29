import { describe, expect, it } from "vitest";
import { PAYLOAD_KINDS } from "../../../src/ask/payload.ts";
import { parsePayload } from "../../../src/wire/payload.ts";
import { aPayload } from "../../support/asks.ts";

type Path = readonly (string | number)[];

/** A copy of `value` with the part at `path` replaced, or removed when `part` is undefined. */
function changed(value: unknown, [key, ...rest]: Path, part: unknown): unknown {
  if (key === undefined) return part;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  const inner = changed(copy[key], rest, part);
  if (inner === undefined) delete copy[key];
  else copy[key] = inner;
  return copy;
}

const NULLABLE: Path[] = [
  ["request", "requester", "agentName"],
  ["request", "requester", "sessionId"],
  ["request", "toolName"],
  ["request", "invokedToolName"],
  ["request", "matchedPattern"],
  ["request", "commandContext"],
  ["request", "executedUnit"],
  ["evidence", 0, "detail"],
];

const FIXED: Path[] = [
  ["kind"],
  ["request"],
  ["request", "requester"],
  ["request", "requester", "forwarded"],
  ["request", "surface"],
  ["request", "value"],
  ["evidence"],
  ["evidence", 0, "label"],
  ["evidence", 0, "text"],
  ["annotations"],
  ["annotations", 0, "source"],
  ["annotations", 0, "text"],
];

const payload = aPayload({ annotations: [{ source: "critic", text: "routine" }] });

describe("a payload on the wire", () => {
  it("comes back equal and frozen at every level", () => {
    const read = parsePayload(payload);
    expect(read).toEqual(payload);
    for (const part of [read, read?.request, read?.request.requester, read?.annotations[0]]) {
      expect(part).toBeDefined();
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it.each(PAYLOAD_KINDS)("may be of kind %s", (kind) => {
    expect(parsePayload({ ...payload, kind })).toEqual({ ...payload, kind });
  });

  it.each(["widget", "Bash", "bash ", "constructor", "__proto__", "", null, 7, ["bash"]])(
    "is absent with the kind %j",
    (kind) => {
      expect(parsePayload({ ...payload, kind })).toBeNull();
    },
  );

  it.each([...NULLABLE, ...FIXED].map((path) => ({ path })))(
    "is absent without $path",
    ({ path }) => {
      expect(parsePayload(changed(payload, path, undefined))).toBeNull();
    },
  );

  it.each(NULLABLE.map((path) => ({ path })))("may say null at $path", ({ path }) => {
    const nulled = changed(payload, path, null);
    expect(parsePayload(nulled)).toEqual(nulled);
  });

  it.each(FIXED.map((path) => ({ path })))("is absent with null at $path", ({ path }) => {
    expect(parsePayload(changed(payload, path, null))).toBeNull();
  });

  it.each([...NULLABLE, ...FIXED].map((path) => ({ path })))(
    "is absent with a number or half a surrogate pair at $path",
    ({ path }) => {
      expect(parsePayload(changed(payload, path, 7))).toBeNull();
      expect(parsePayload(changed(payload, path, "\ud83d"))).toBeNull();
    },
  );

  it.each(["subshell", "command_substitution", "process_substitution"])(
    "knows the context %s",
    (context) => {
      const nested = changed(payload, ["request", "commandContext"], context);
      expect(parsePayload(nested)).toEqual(nested);
    },
  );

  it("is absent with an unknown context", () => {
    expect(parsePayload(changed(payload, ["request", "commandContext"], "loop"))).toBeNull();
  });

  it("keeps a claimed host, and is absent with one that is no text", () => {
    const hosted = changed(payload, ["request", "requester", "host"], "bench-3");
    expect(parsePayload(hosted)).toEqual(hosted);
    expect(parsePayload(changed(payload, ["request", "requester", "host"], null))).toBeNull();
  });

  it("may have an empty value, as a degraded forward has", () => {
    const empty = changed(payload, ["request", "value"], "");
    expect(parsePayload(empty)).toEqual(empty);
  });

  it.each([
    [["more"]],
    [["request", "more"]],
    [["request", "requester", "more"]],
    [["evidence", 0, "more"]],
    [["annotations", 0, "more"]],
  ] satisfies [Path][])("drops an unknown property at %j", (path) => {
    expect(parsePayload(changed(payload, path, { a: 1 }))).toEqual(payload);
  });

  it("takes nothing from a __proto__ key", () => {
    const { kind, ...rest } = payload;
    const text = `{"__proto__":{"kind":"${kind}"},${JSON.stringify(rest).slice(1)}`;
    expect(parsePayload(JSON.parse(text))).toBeNull();
  });

  it.each([null, undefined, 7, "bash", [], [payload]])("is no payload when it is %j", (value) => {
    expect(parsePayload(value)).toBeNull();
  });

  it("is absent, not a crash, when it is nested without end", () => {
    const bomb: unknown = JSON.parse(`${"[".repeat(30_000)}${"]".repeat(30_000)}`);
    expect(parsePayload({ ...payload, evidence: bomb })).toBeNull();
    expect(parsePayload(bomb)).toBeNull();
  });
});
