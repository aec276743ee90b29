import { MAX_REASON_CHARACTERS } from "../ask/control.ts";
import { GRANT_WIDTHS, type GrantWidth } from "../ask/grant.ts";
import { visibleCut } from "../render/visible-text.ts";
import { type JsonObject, parseJsonObject } from "./json-value.ts";
import { ANSWERS, type Answer } from "./lines.ts";

/** What a line on the standard input of `serve` says. */
export type ServeInput =
  | {
      readonly kind: "answer";
      readonly requestId: string;
      readonly answer: Answer;
      readonly reason?: string;
      readonly incomplete?: true;
      readonly width?: GrantWidth;
    }
  | { readonly kind: "show"; readonly requestId: string }
  /** `requestId` is absent when the line names no ask. */
  | {
      readonly kind: "fault";
      readonly code: string;
      readonly text: string;
      readonly requestId?: string;
    };

const ANSWER_KEYS = ["requestId", "answer", "reason", "incomplete", "width"];
const SHOW_KEYS = ["requestId", "show"];

/** Reads one line of `serve`. Never throws; whether the ask can be answered is not its matter. */
export function readServeInput(text: string): ServeInput {
  const parsed = parseJsonObject(text);
  if ("code" in parsed) return { kind: "fault", ...parsed };
  const { value } = parsed;
  const requestId = value["requestId"];
  if (typeof requestId !== "string" || requestId === "") {
    return {
      kind: "fault",
      code: "missing_request_id",
      text: 'the line names no ask; copy the "requestId" of its prompt',
    };
  }
  const says = Object.hasOwn(value, "show") ? readShow(value) : readAnswer(value);
  return { ...says, requestId };
}

type Said =
  | { kind: "answer"; answer: Answer; reason?: string; incomplete?: true; width?: GrantWidth }
  | { kind: "show" }
  | { kind: "fault"; code: string; text: string };

function readShow(value: JsonObject): Said {
  if (value["show"] !== "full") {
    return { kind: "fault", code: "unknown_view", text: 'the only other view is "show":"full"' };
  }
  return unknownKey(value, SHOW_KEYS) ?? { kind: "show" };
}

function readAnswer(value: JsonObject): Said {
  const { answer } = value;
  if (answer === undefined) {
    return { kind: "fault", code: "missing_answer", text: `the line has no "answer"; ${CHOICES}` };
  }
  const known = ANSWERS.find((name) => name === answer);
  if (known === undefined) {
    const given = visibleCut(JSON.stringify(answer), 80).text;
    return { kind: "fault", code: "unknown_answer", text: `${given} is no answer; ${CHOICES}` };
  }
  const rest = readRest(value);
  return "kind" in rest
    ? rest
    : (unknownKey(value, ANSWER_KEYS) ?? { kind: "answer", answer: known, ...rest });
}

type Rest = Pick<ServeInput & { kind: "answer" }, "reason" | "incomplete" | "width">;

/** What an answer may carry besides itself. */
function readRest({ reason, incomplete, width }: JsonObject): Rest | (Said & { kind: "fault" }) {
  if (
    reason !== undefined &&
    (typeof reason !== "string" || reason.length > MAX_REASON_CHARACTERS)
  ) {
    return {
      kind: "fault",
      code: "malformed_reason",
      text: `"reason" must be a text of at most ${MAX_REASON_CHARACTERS} characters`,
    };
  }
  if (incomplete !== undefined && incomplete !== true) {
    return { kind: "fault", code: "malformed_incomplete", text: '"incomplete" can only be true' };
  }
  const wide = GRANT_WIDTHS.find((one) => one === width);
  if (width !== undefined && wide === undefined) {
    const text = `"width" must be one of ${GRANT_WIDTHS.join(", ")}`;
    return { kind: "fault", code: "malformed_width", text };
  }
  return {
    ...(reason === undefined ? {} : { reason }),
    ...(incomplete === undefined ? {} : { incomplete }),
    ...(wide === undefined ? {} : { width: wide }),
  };
}

const CHOICES = `write one of ${ANSWERS.join(", ")}`;

function unknownKey(value: JsonObject, known: readonly string[]): Said | null {
  const key = Object.keys(value).find((name) => !known.includes(name));
  if (key === undefined) return null;
  return {
    kind: "fault",
    code: "unknown_field",
    text: `the field ${JSON.stringify(key)} is not known here; take it out or correct its spelling`,
  };
}
