import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { ControlOp } from "../../src/ask/control.ts";
import { parseAsk } from "../../src/wire/ask.ts";
import { readJson } from "../../src/wire/body.ts";
import {
  encodeControlAnswer,
  encodeControlRequest,
  readControlAnswer,
  readControlRequest,
} from "../../src/wire/control.ts";
import { readDec } from "../../src/wire/dec.ts";
import {
  encodeAsk,
  encodeCancel,
  encodeDec,
  encodePresence,
  encodeReceipt,
} from "../../src/wire/encode.ts";
import { parseCancel, parsePresence, parseReceipt } from "../../src/wire/messages.ts";
import { encodeToken } from "../../src/wire/token.ts";

const FOLDER = fileURLToPath(new URL("wire-v1/", import.meta.url));

/** Decodes a raw body as one type of message and writes it again; null when it is refused. */
type Rewrite = (raw: string) => string | null;

const rewriteAsk: Rewrite = (raw) => {
  const body = readJson(Buffer.from(raw));
  const { requesterSessionId } = { requesterSessionId: "kid-1", ...(body as object) };
  const parsed = parseAsk({ parent: "boss-1", child: encodeToken(requesterSessionId) }, body);
  return parsed.ok ? encodeAsk(parsed.ask) : null;
};

const rewriteDec =
  (kind: string): Rewrite =>
  (raw) => {
    const read = readDec("perm-7", readJson(Buffer.from(raw)));
    return read?.kind === kind ? encodeDec(read) : null;
  };

function rewriteWith<T>(parse: (body: unknown) => T | null, encode: (message: T) => string) {
  return (raw: string): string | null => {
    const message = parse(readJson(Buffer.from(raw)));
    return message === null ? null : encode(message);
  };
}

const rewriteWant =
  (op: ControlOp): Rewrite =>
  (raw) => {
    const read = readControlRequest(op, readJson(Buffer.from(raw)));
    return read.ok ? encodeControlRequest(read.request) : null;
  };

const rewriteGiven =
  (op: ControlOp): Rewrite =>
  (raw) => {
    const answer = readControlAnswer({ op, id: "one" }, Buffer.from(raw));
    return answer === null ? null : encodeControlAnswer("one", answer);
  };

const REWRITES: Readonly<Record<string, Rewrite>> = {
  ask: rewriteAsk,
  accepted: rewriteDec("accepted"),
  progress: rewriteDec("progress"),
  decision: rewriteDec("decision"),
  refused: rewriteDec("refused"),
  withdrawn: rewriteDec("withdrawn"),
  receipt: rewriteWith(parseReceipt, encodeReceipt),
  cancel: rewriteWith(parseCancel, encodeCancel),
  presence: rewriteWith(parsePresence, encodePresence),
  list: rewriteWant("list"),
  show: rewriteWant("show"),
  answer: rewriteWant("answer"),
  grants: rewriteWant("grants"),
  revoke: rewriteWant("revoke"),
  listed: rewriteGiven("list"),
  shown: rewriteGiven("show"),
  answered: rewriteGiven("answer"),
  granted: rewriteGiven("grants"),
  revoked: rewriteGiven("revoke"),
  refusal: rewriteGiven("answer"),
};

const rawOf = (name: string): string => readFileSync(`${FOLDER}${name}`, "utf8").trimEnd();

const goldenIn = (folder: string) =>
  readdirSync(`${FOLDER}${folder}`).map((file) => {
    const type = /^[a-z]+/.exec(file)?.[0] ?? "";
    const rewrite = REWRITES[type];
    if (rewrite === undefined) throw new Error(`${folder}/${file} names no type of message`);
    return { file, type, rewrite, raw: rawOf(`${folder}/${file}`) };
  });

describe("the golden messages of revision v1", () => {
  const valid = goldenIn("valid");

  it.each(valid)("$file is read and written again to the byte", ({ rewrite, raw }) => {
    expect(rewrite(raw)).toBe(raw);
  });

  it.each(goldenIn("tolerated"))("$file is read like the valid one", ({ file, rewrite, raw }) => {
    expect(rewrite(raw)).toBe(rawOf(`valid/${file.split("--")[0]}.json`));
  });

  it.each(goldenIn("refused"))("$file is refused", ({ rewrite, raw }) => {
    expect(rewrite(raw)).toBeNull();
  });

  it("show every type of message, valid and refused", () => {
    const types = Object.keys(REWRITES).sort();
    expect([...new Set(valid.map(({ type }) => type))].sort()).toEqual(types);
    expect([...new Set(goldenIn("refused").map(({ type }) => type))].sort()).toEqual(types);
  });
});
