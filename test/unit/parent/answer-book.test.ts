import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Answer, answerDigest, openAnswerBook } from "../../../src/parent/answer-book.ts";

const DAY = 24 * 60 * 60 * 1000;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});
afterEach(() => {
  vi.useRealTimers();
});

function anAnswer(changes: Partial<Answer> = {}): Answer {
  return {
    requestId: "perm-1",
    childToken: "child-1",
    askDigest: "digest-1",
    nonce: "nonce-1",
    kind: "decision",
    body: '{"v":1}',
    keepUntil: DAY,
    ...changes,
  };
}

function openBook() {
  const sent: string[] = [];
  const book = openAnswerBook(
    ({ requestId, body }) => sent.push(`${requestId} ${body}`),
    () => Date.now(),
  );
  return { book, sent };
}

it("an id keeps the first answer it was given", () => {
  const { book, sent } = openBook();
  book.give(anAnswer());
  book.give(anAnswer({ kind: "refused", body: '{"v":2}' }));
  expect(sent).toEqual(['perm-1 {"v":1}', 'perm-1 {"v":1}']);
});

it("a receipt with another digest changes nothing", () => {
  const { book, sent } = openBook();
  book.give(anAnswer());
  expect(book.receipted("perm-1", answerDigest('{"v":2}'))).toBe(false);
  vi.advanceTimersByTime(1000);
  expect(sent).toHaveLength(2);
  expect(book.receipted("perm-1", answerDigest('{"v":1}'))).toBe(true);
  vi.advanceTimersByTime(DAY);
  expect(sent).toHaveLength(2);
});

it("nothing is repeated past its time, and a sweep lets it go", () => {
  const { book, sent } = openBook();
  book.give(anAnswer({ keepUntil: 2500 }));
  vi.advanceTimersByTime(DAY);
  expect(sent).toHaveLength(2 + 1);
  book.sweep(Date.now());
  expect(book.find("perm-1")).toBeNull();
});

it("a receipted answer stays a minute for late repeats", () => {
  const { book } = openBook();
  book.give(anAnswer());
  book.receipted("perm-1", answerDigest('{"v":1}'));
  vi.advanceTimersByTime(59_999);
  book.sweep(Date.now());
  expect(book.find("perm-1")).not.toBeNull();
  vi.advanceTimersByTime(1);
  book.sweep(Date.now());
  expect(book.find("perm-1")).toBeNull();
});

it("a full book lets the oldest answer go", () => {
  const { book, sent } = openBook();
  for (let nth = 0; nth <= 8192; nth += 1) {
    book.give(anAnswer({ requestId: `perm-${String(nth)}` }));
  }
  expect(book.find("perm-0")).toBeNull();
  expect(book.find("perm-1")).not.toBeNull();
  book.close();
  const before = sent.length;
  vi.advanceTimersByTime(DAY);
  expect(sent).toHaveLength(before);
});

it("a withdrawal is sent once and not repeated by itself", () => {
  const { book, sent } = openBook();
  book.give(anAnswer({ kind: "withdrawn" }));
  book.resend();
  vi.advanceTimersByTime(DAY);
  expect(sent).toHaveLength(1);
});
