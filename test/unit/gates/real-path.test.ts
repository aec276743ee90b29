import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { realPath } from "../../../src/gates/real-path.ts";

let root = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "real-path-")));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

it("resolves links in every part of a path", () => {
  mkdirSync(join(root, "data"));
  writeFileSync(join(root, "data", "a"), "");
  symlinkSync("data", join(root, "link"));
  expect(realPath(join(root, "link", "a"))).toBe(join(root, "data", "a"));
});

it("keeps the names of what does not exist yet under the real folder above", () => {
  mkdirSync(join(root, "data"));
  symlinkSync("data", join(root, "link"));
  expect(realPath(join(root, "link", "new", "b"))).toBe(join(root, "data", "new", "b"));
});

it("follows a link whose target does not exist yet: a write would go there", () => {
  symlinkSync("/nowhere/at/all", join(root, "link"));
  expect(realPath(join(root, "link"))).toBe("/nowhere/at/all");
  expect(realPath(join(root, "link", "c"))).toBe("/nowhere/at/all/c");
});

it("comes back from links that lead in a circle", () => {
  symlinkSync("two", join(root, "one"));
  symlinkSync("one", join(root, "two"));
  expect(realPath(join(root, "one"))).toContain(root);
});

it("keeps a name below a file", () => {
  writeFileSync(join(root, "file"), "");
  expect(realPath(join(root, "file", "x"))).toBe(join(root, "file", "x"));
});
