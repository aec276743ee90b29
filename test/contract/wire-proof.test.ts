import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseAsk } from "../../src/wire/ask.ts";
import { readJson } from "../../src/wire/body.ts";
import { readDec } from "../../src/wire/dec.ts";
import { bytesDigest } from "../../src/wire/digest.ts";
import { decodeNonce, proofMatches, proofOf } from "../../src/wire/proof.ts";
import { createSubjects } from "../../src/wire/subjects.ts";
import { encodeToken } from "../../src/wire/token.ts";

const PAGE = fileURLToPath(new URL("../../docs/reference/wire-proof.md", import.meta.url));

const values = new Map(
  [...readFileSync(PAGE, "utf8").matchAll(/<!-- (.+) -->\n```\w*\n([^`]+)\n```/g)].map(
    ([, name = "", value = ""]) => [name, value],
  ),
);

function onPage(name: string): string {
  const value = values.get(name);
  if (value === undefined) throw new Error(`the page shows no ${name}`);
  return value;
}

const subject = onPage("subject");
const body = Buffer.from(onPage("body"), "utf8");
const tokens = { parent: "boss-1", child: encodeToken("kid.1") };

describe("the worked example of the proof", () => {
  it("shows an ask that is one, with its nonce and its digest", () => {
    const ask = onPage("ask");
    expect(parseAsk(tokens, readJson(ask))).toMatchObject({
      ok: true,
      ask: { nonce: onPage("nonce"), requesterSessionId: "kid.1" },
    });
    expect(bytesDigest(ask)).toBe(onPage("askDigest"));
  });

  it("shows the key the nonce encodes", () => {
    const key = Buffer.from(onPage("key in hex"), "hex");
    expect(decodeNonce(onPage("nonce"))).toEqual(key);
  });

  it("shows the subject that the ask's tokens make", () => {
    const subjects = createSubjects("af.v1.default");
    expect(subjects.of("dec", { ...tokens, rid: "perm-7" })).toBe(subject);
  });

  it("shows an answer that is one, about this ask", () => {
    expect(readDec("perm-7", readJson(body))).toMatchObject({
      kind: "decision",
      message: { askDigest: onPage("askDigest") },
    });
    expect(bytesDigest(body)).toBe(onPage("decisionDigest"));
  });

  it("shows the signed bytes: subject, one zero byte, body", () => {
    const signed = Buffer.concat([Buffer.from(subject, "utf8"), Buffer.alloc(1), body]);
    expect(signed.toString("hex")).toBe(onPage("signed bytes in hex").replaceAll("\n", ""));
    expect(readFileSync(PAGE, "utf8")).toContain(
      `Subject (${subject.length} bytes), one zero byte and body (${body.length} bytes, the \`ü\` takes two) make ${signed.length} bytes`,
    );
  });

  it("shows the proof that this program makes and accepts", () => {
    expect(proofOf(onPage("nonce"), { subject, body })).toBe(onPage("Af-Proof"));
    expect(proofMatches(onPage("nonce"), { subject, body }, onPage("Af-Proof"))).toBe(true);
  });

  it("shows the proof that the platform's own functions make from the page alone", () => {
    const hmac = createHmac("sha256", Buffer.from(onPage("key in hex"), "hex"));
    hmac.update(Buffer.from(onPage("signed bytes in hex").replaceAll("\n", ""), "hex"));
    expect(hmac.digest("base64url")).toBe(onPage("Af-Proof"));
    const digest = createHash("sha256").update(onPage("ask"), "utf8").digest("base64url");
    expect(digest).toBe(onPage("askDigest"));
  });
});
