import { describe, expect, test } from "vitest";
import { buildDetails } from "../../../src/render/details.ts";
import { buildServedDecision, buildUiPrompt } from "../../../src/render/live-events.ts";
import { aForwardedAsk, aPayload } from "../../support/payloads.ts";

const intent = {
  surface: "bash",
  matchValues: ["make lint"],
  boundaryValue: null,
  units: [{ value: "make lint", floor: null, context: null }],
  paths: [{ surface: "path_read", matchValues: ["a"], boundaryValue: "/a" }],
  requesterCwd: "/srv/x",
  principal: { sessionId: "kid-1", agentName: "mason" },
};

/** Paths of everything in `value` that can still be changed. */
function thawedIn(value: unknown, at = "details"): string[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, item]) => thawedIn(item, `${at}.${key}`));
  return Object.isFrozen(value) ? inside : [at, ...inside];
}

describe("details of a forwarded ask", () => {
  test("a link sees exactly the listed keys", () => {
    const details = buildDetails(
      aForwardedAsk({
        accessIntent: intent,
        sessionApproval: { grants: [{ surface: "bash", pattern: "make *" }] },
        toolCallId: "call-1",
        actionDigest: "digest",
      }),
    );
    expect(Object.keys(details).sort()).toEqual([
      "accessIntent",
      "agentName",
      "forwarding",
      "payload",
      "requestId",
      "sessionApproval",
      "source",
      "surface",
      "value",
    ]);
    expect(details.accessIntent).toEqual({
      surface: "bash",
      matchValues: ["make lint"],
      boundaryValue: null,
      units: [{ value: "make lint", floor: null, context: null }],
      paths: [{ surface: "path_read", matchValues: ["a"], boundaryValue: "/a" }],
    });
    expect(Object.keys(details.payload.request.requester)).toEqual([
      "agentName",
      "forwarded",
      "sessionId",
    ]);
  });

  test("a link cannot change what the next one sees", () => {
    const details = buildDetails(aForwardedAsk({ accessIntent: intent }));
    expect(() => Object.assign(details.payload.request, { value: "rm -rf /" })).toThrow(TypeError);
    expect(thawedIn(details)).toEqual([]);
  });

  test("a child's claim to be somebody else is overwritten, its machine's name stays a claim", () => {
    const payload = aPayload({
      requester: { agentName: "root", forwarded: false, sessionId: "boss-1", host: "host-b" },
    });
    const details = buildDetails(aForwardedAsk({ payload }));
    expect(details.payload.request.requester).toEqual({
      agentName: "mason",
      forwarded: true,
      sessionId: "kid-1",
      host: "host-b",
    });
  });

  test("a relayed ask names its origin and the sessions it passed", () => {
    const details = buildDetails(
      aForwardedAsk({
        requesterSessionId: "mid",
        requesterAgentName: "relay",
        origin: { sessionId: "leaf", agentName: "mason" },
        path: ["leaf", "mid"],
      }),
    );
    expect(details.forwarding).toEqual({
      requesterAgentName: "mason",
      requesterSessionId: "leaf",
      via: ["mid"],
    });
    expect(details.agentName).toBe("mason");
    expect(details.payload.request.requester.sessionId).toBe("leaf");
  });

  test("an ask without a payload becomes one of kind forwarded", () => {
    const { payload: _payload, ...degraded } = aForwardedAsk({ surface: null, value: null });
    expect(buildDetails(degraded).payload).toEqual({
      kind: "forwarded",
      request: {
        requester: { agentName: "mason", forwarded: true, sessionId: "kid-1" },
        surface: "",
        toolName: null,
        invokedToolName: null,
        value: "",
        matchedPattern: null,
        commandContext: null,
        executedUnit: null,
      },
      evidence: [],
      annotations: [],
    });
  });
});

describe("live events", () => {
  const details = buildDetails(aForwardedAsk({ accessIntent: intent }));

  test("an observer of a prompt sees exactly the listed keys", () => {
    expect(Object.keys(buildUiPrompt(details))).toEqual([
      "requestId",
      "source",
      "surface",
      "value",
      "agentName",
      "request",
      "forwarding",
    ]);
    expect(buildUiPrompt(details, 2).reprompt).toBe(2);
  });

  test("an observer of a decision sees exactly the listed keys and no decider", () => {
    const decidedBy = { kind: "user", via: "inbox", approver: "op-1" } as const;
    const event = buildServedDecision(details, { approved: true, state: "approved", decidedBy });
    expect(Object.keys(event)).toEqual([
      "requestId",
      "surface",
      "value",
      "agentName",
      "result",
      "resolution",
      "origin",
      "matchedPattern",
      "forwarding",
    ]);
  });

  test("a local ask has no forwarding", () => {
    const local = { ...details, forwarding: null };
    const decidedBy = { kind: "user", via: "dialog" } as const;
    expect(buildUiPrompt(local).forwarding).toBeNull();
    expect(
      buildServedDecision(local, { approved: false, state: "denied", decidedBy }),
    ).not.toHaveProperty("forwarding");
  });
});
