import { MsgHdrsImpl } from "@nats-io/nats-core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkFilter, checkSubject, headerBlock } from "../../../src/bus/message-check.ts";

const refusal = expect.objectContaining({ code: "bus_bad_message" }) as Error;

describe("the check of messages", () => {
  it.each(["a", "af.v1.default.ask.=h0.P-1", "$SYS.x", "ü.b"])(
    "publisher may use the subject %j",
    (subject) => {
      expect(() => {
        checkSubject(subject);
      }).not.toThrow();
    },
  );

  it("no subject that is accepted can end the line it is written into", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (subject) => {
        const accepted = [subject].filter((one) => accepts(one));
        expect(accepted.filter((one) => /[\s\p{Cc}*>]/u.test(one))).toEqual([]);
      }),
    );
  });

  it.each(["*", ">", "a.*.b", "a.>", "*.*.>"])("subscriber may use the subject %j", (subject) => {
    expect(() => {
      checkFilter(subject);
    }).not.toThrow();
  });

  it("written headers are, to the byte, those that the library writes", () => {
    const name = fc.stringMatching(/^[!-9;-~]{1,20}$/);
    const value = fc.string({ unit: "grapheme" }).filter((one) => !/[\r\n]/.test(one));
    fc.assert(
      fc.property(fc.dictionary(name, value, { minKeys: 1 }), (given) => {
        const written = new MsgHdrsImpl();
        for (const [key, text] of Object.entries(given)) written.append(key, text);
        expect(Buffer.from(headerBlock(given))).toEqual(Buffer.from(written.encode()));
      }),
    );
  });

  it("refusal names the subject and the header", () => {
    expect(() => {
      checkSubject("a b");
    }).toThrow(/"a b"/);
    expect(() => headerBlock({ "a:b": "x" })).toThrow(refusal);
    expect(() => headerBlock({ "Af-Proof": "x\r\ny" })).toThrow(/Af-Proof/);
  });
});

function accepts(subject: string): boolean {
  try {
    checkSubject(subject);
    return true;
  } catch {
    return false;
  }
}
