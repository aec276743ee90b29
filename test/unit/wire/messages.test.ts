import { describe, expect, it } from "vitest";
import { encodeCancel, encodePresence, encodeReceipt } from "../../../src/wire/encode.ts";
import { parseCancel, parsePresence, parseReceipt } from "../../../src/wire/messages.ts";

const receipt = { requestId: "perm-7", decisionDigest: "digest", effect: "applied" } as const;
const cancel = { requestId: "perm-7", why: "aborted" } as const;
const presence = {
  session: "parent-1",
  incarnation: "3.k9",
  state: "closing",
  serving: true,
  openAsks: 2,
  successor: "parent-1b",
  record: { n: 0, hash: "" },
} as const;

const cases = [
  { name: "receipt", parse: parseReceipt, text: encodeReceipt(receipt), message: receipt },
  { name: "cancel", parse: parseCancel, text: encodeCancel(cancel), message: cancel },
  { name: "presence", parse: parsePresence, text: encodePresence(presence), message: presence },
];

describe.each(cases)("a $name on the wire", ({ parse, text, message }) => {
  const body = JSON.parse(text) as Record<string, unknown>;

  it("comes back equal and frozen", () => {
    expect(parse(body)).toEqual(message);
    expect(Object.isFrozen(parse(body))).toBe(true);
  });

  it("is of this revision or none", () => {
    const { v, ...unsaid } = body;
    expect(v).toBe(1);
    expect(parse(unsaid)).toEqual(message);
    expect(parse({ ...body, v: 2 })).toBeNull();
    expect(parse({ ...body, v: null })).toBeNull();
  });

  it("loses what its table does not name", () => {
    expect(parse({ ...body, more: 1 })).toEqual(message);
  });

  it.each(Object.keys(message).filter((field) => field !== "successor"))(
    "is none without %s or with another type of it",
    (field) => {
      const { [field]: _, ...rest } = body;
      expect(parse(rest)).toBeNull();
      expect(parse({ ...body, [field]: [] })).toBeNull();
      expect(parse({ ...body, [field]: null })).toBeNull();
      expect(parse({ ...body, [field]: "\ud800" })).toBeNull();
    },
  );

  it.each([null, undefined, [], 7, "text"])("is none when it is %j", (value) => {
    expect(parse(value)).toBeNull();
  });
});

describe("a presence on the wire", () => {
  it.each([
    [{ state: "away" }],
    [{ openAsks: -1 }],
    [{ openAsks: 1.5 }],
    [{ record: { n: 1 } }],
    [{ record: { n: -1, hash: "" } }],
    [{ successor: "" }],
    [{ successor: null }],
  ])("is none with %j", (changes) => {
    expect(parsePresence({ ...presence, ...changes })).toBeNull();
  });

  it("need not name a successor", () => {
    const { successor: _, ...rest } = presence;
    expect(parsePresence(JSON.parse(encodePresence(rest)))).toEqual(rest);
  });
});
