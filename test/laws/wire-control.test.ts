import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CONTROL_OPS, type ControlRequest } from "../../src/ask/control.ts";
import { readJson } from "../../src/wire/body.ts";
import {
  answerTokensOf,
  controlAnswerSubject,
  encodeControlRequest,
  encodeShownAsk,
  readControlAnswer,
  readControlRequest,
  readShownAsk,
} from "../../src/wire/control.ts";
import { createSubjects } from "../../src/wire/subjects.ts";
import { encodeToken } from "../../src/wire/token.ts";
import { filledText, someText } from "../support/wire-arbitraries.ts";

const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,96}$/);
const count = fc.nat();

function optional<T>(fields: { readonly [name: string]: fc.Arbitrary<unknown> }, also: T) {
  return fc.record({ id, ...also, ...fields } as never, {
    requiredKeys: ["id", ...Object.keys(also as object)] as never,
    noNullPrototype: true,
  });
}

const someRequest = fc.oneof(
  optional({ after: count }, {}).map((wants) => ({ op: "list", wants })),
  optional({ from: count }, { requestId: filledText }).map((wants) => ({ op: "show", wants })),
  optional(
    {
      reason: someText,
      scope: fc.constantFrom("once", "child_session", "serving_session"),
      width: fc.constantFrom("proven", "family"),
      incomplete: fc.constant(true),
    },
    {
      requestId: filledText,
      digest: filledText,
      answer: fc.constantFrom("allow", "deny"),
    },
  ).map((wants) => ({ op: "answer", wants })),
  optional({ after: filledText }, {}).map((wants) => ({ op: "grants", wants })),
  optional({}, { grantId: filledText }).map((wants) => ({ op: "revoke", wants })),
) as fc.Arbitrary<ControlRequest>;

const hostile = fc.oneof(fc.jsonValue(), fc.anything());

describe("what an operator wants", () => {
  it("is the same when it is written and read again", () => {
    fc.assert(
      fc.property(someRequest, (request) => {
        const sent = readJson(Buffer.from(encodeControlRequest(request), "utf8"));
        expect(readControlRequest(request.op, sent)).toEqual({ ok: true, request });
      }),
    );
  });

  it("can be read with fields of a newer program beside it, and not without its id", () => {
    fc.assert(
      fc.property(someRequest, (request) => {
        const sent = { ...request.wants, newer: { field: 1 } };
        expect(readControlRequest(request.op, sent)).toEqual({ ok: true, request });
        const { id: _, ...rest } = sent;
        expect(readControlRequest(request.op, rest)).toMatchObject({ ok: false, id: null });
      }),
    );
  });

  it("is refused and never thrown over, whatever comes", () => {
    fc.assert(
      fc.property(fc.constantFrom(...CONTROL_OPS, "doctor", ""), hostile, (op, value) => {
        const read = readControlRequest(op, value);
        expect(typeof read.ok).toBe("boolean");
      }),
    );
  });

  it("has nothing that could name another operator than its subject does", () => {
    fc.assert(
      fc.property(someRequest, (request) => {
        const sent = { ...request.wants, operator: "bob", approver: "bob", as: "bob" };
        expect(JSON.stringify(readControlRequest(request.op, sent))).not.toContain('"bob"');
      }),
    );
  });
});

describe("what a session answers an operator", () => {
  it("is none or an answer to this very want, whatever comes", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CONTROL_OPS),
        fc.json(),
        fc.uint8Array(),
        (op, text, bytes) => {
          expect(readControlAnswer({ op, id: "one" }, bytes)).toBeNull();
          expect(readControlAnswer({ op, id: "one" }, Buffer.from(text))).toBeNull();
          readShownAsk(text);
        },
      ),
    );
  });

  it("goes to a subject whose speaker and id can be read from it alone", () => {
    const subjects = createSubjects("af.v1.f");
    fc.assert(
      fc.property(someText, someText, id, (operator, session, want) => {
        const tokens = { operator: encodeToken(operator), session: encodeToken(session), id: want };
        const parsed = subjects.parse(controlAnswerSubject(subjects, tokens));
        expect(parsed).toMatchObject({ kind: "inbox", session: tokens.operator });
        expect(answerTokensOf(parsed)).toEqual({ session: tokens.session, id: want });
      }),
    );
  });

  it("is shown as it was written, the secret of the ask never among it", () => {
    const request = {
      requester: { agentName: null, forwarded: true, sessionId: "c" },
      surface: "bash",
      toolName: null,
      invokedToolName: null,
      matchedPattern: null,
      commandContext: null,
      executedUnit: null,
    };
    fc.assert(
      fc.property(someText, someText, (value, text) => {
        const payload = {
          kind: "bash",
          request: { ...request, value },
          evidence: [{ label: "input", text, detail: null }],
          annotations: [],
        } as const;
        const shown = {
          session: "p",
          requestId: "perm-1",
          askDigest: "d",
          reprompt: 0,
          source: "tool_call",
          agentName: null,
          payload,
          surface: null,
          value,
          forwarding: null,
        } as const;
        const written = encodeShownAsk({ ...shown, nonce: "secret" } as never);
        expect(readShownAsk(written)).toEqual(shown);
        expect(written).not.toContain("secret");
      }),
    );
  });
});
