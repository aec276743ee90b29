import { describe, expect, it } from "vitest";
import { bytesDigest } from "../../../src/wire/digest.ts";
import { encodeAsk } from "../../../src/wire/encode.ts";
import { mintNonce } from "../../../src/wire/proof.ts";
import { isNonceOf, readStoredAsk, withoutNonce } from "../../../src/wire/stored-ask.ts";
import { anAsk, aPayload } from "../../support/asks.ts";

const SUBJECT = { parent: "parent-1", child: "child-1" };
const N = anAsk().nonce;

describe("a stored ask", () => {
  it.each([
    [`{"nonce":"${N}"}`, '{"nonce":""}'],
    [`{"id":"a","nonce":"${N}","value":"b"}`, '{"id":"a","nonce":"","value":"b"}'],
    [`\n{ "nonce" :\t"${N}" , "a" : 1 }\r\n`, '\n{ "nonce" :\t"" , "a" : 1 }\r\n'],
    [`{"n\\u006fnce":"${N}"}`, '{"n\\u006fnce":""}'],
    [`{"nonce":"\\u0041${N.slice(1)}"}`, '{"nonce":""}'],
    [`{"nonce":"${N}","nonce":"${N}"}`, '{"nonce":"","nonce":""}'],
    [`{"a":"\\"nonce\\":\\"x\\"","nonce":"${N}"}`, '{"a":"\\"nonce\\":\\"x\\"","nonce":""}'],
    [`{"a":"\\\\","nonce":"${N}"}`, '{"a":"\\\\","nonce":""}'],
    [`{"a":{"nonce":"kept"},"nonce":"${N}"}`, '{"a":{"nonce":"kept"},"nonce":""}'],
    [
      `{"a":[{"nonce":"kept"},"nonce"],"nonce":"${N}"}`,
      '{"a":[{"nonce":"kept"},"nonce"],"nonce":""}',
    ],
    [`{"a":"nonce","b":"kept","nonce":"${N}"}`, '{"a":"nonce","b":"kept","nonce":""}'],
    [
      `{"Nonce":"kept","nonce ":"kept","nonce":"${N}"}`,
      '{"Nonce":"kept","nonce ":"kept","nonce":""}',
    ],
    ['{"nonce":["kept"],"a":"kept"}', '{"nonce":["kept"],"a":"kept"}'],
    [`{"\\u006eonces":"kept","nonce":"${N}"}`, '{"\\u006eonces":"kept","nonce":""}'],
    ['{"nonce":7,"a":"kept"}', '{"nonce":7,"a":"kept"}'],
  ])("of %s reads %s", (body, stored) => {
    expect(withoutNonce(body)).toBe(stored);
  });

  it("keeps the nonce's text where it stands for something else", () => {
    const request = { ...aPayload().request, value: `echo ${N}` };
    const body = encodeAsk(anAsk({ payload: aPayload({ request }), value: N }));
    const stored = withoutNonce(body);
    expect(stored).toBe(body.replace(`"nonce":"${N}"`, '"nonce":""'));
    expect(stored.split(N)).toHaveLength(3);
  });

  it("is read again without its secret", () => {
    const { nonce: _, ...ask } = anAsk();
    const stored = withoutNonce(encodeAsk(anAsk()));
    const read = readStoredAsk(SUBJECT, stored);
    expect(read).toEqual(ask);
    expect(Object.isFrozen(read)).toBe(true);
    expect(readStoredAsk({ ...SUBJECT, child: "child-2" }, stored)).toBeNull();
  });

  it.each(["", "{", "[]", "null", '{"nonce":""}'])("is none when its text is %j", (text) => {
    expect(readStoredAsk(SUBJECT, text)).toBeNull();
  });

  it("knows the nonce it was sent with, and no other", () => {
    const body = encodeAsk(anAsk());
    const stored = withoutNonce(body);
    expect(isNonceOf(stored, bytesDigest(body), N)).toBe(true);
    expect(isNonceOf(stored, bytesDigest(body), mintNonce())).toBe(false);
    expect(isNonceOf(stored, bytesDigest(body), "")).toBe(false);
    expect(isNonceOf(stored, bytesDigest(`${body} `), N)).toBe(false);
  });
});
