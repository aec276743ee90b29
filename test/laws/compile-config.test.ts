import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileConfig } from "../../src/config/compile-config.ts";
import { DEFAULT_OPTIONS } from "../../src/config/options.ts";
import { FILE_KEYS } from "../../src/config/read-config-file.ts";
import { runs } from "../support/random-tests.ts";

const key = fc.oneof(fc.constantFrom(...FILE_KEYS, "debugLog", "__proto__"), fc.string());
const anyFile = fc.oneof(fc.dictionary(key, fc.jsonValue(), { maxKeys: 6 }), fc.jsonValue());
const source = fc.oneof(
  anyFile.map((value) => ({ value })),
  anyFile.map((value) => ({ text: JSON.stringify(value) })),
  fc.string().map((text) => ({ text })),
  fc.tuple(anyFile, fc.nat(200)).map(([value, at]) => {
    const text = JSON.stringify(value);
    return { text: text.slice(0, at) };
  }),
);
const environment = fc.dictionary(
  fc.constantFrom(
    "ASKFABRIC_YOLO_MODE",
    "ASKFABRIC_PARENTS",
    "ASKFABRIC_LINK_TIMEOUT_MS",
    "ASKFABRIC_FLEET",
    "ASKFABRIC_X",
    "PATH",
  ),
  fc.string(),
);

describe("every configuration", () => {
  test("compiles to a full set of options, whatever it holds", () => {
    fc.assert(
      fc.property(source, source, environment, fc.boolean(), (user, project, env, trusted) => {
        const compiled = compileConfig({ user, project: { ...project, trusted }, env, flags: {} });
        expect(Object.keys(compiled.options)).toEqual(Object.keys(DEFAULT_OPTIONS));
        expect(compiled.ok).toBe(!compiled.issues.some((issue) => issue.rejects));
        for (const issue of compiled.issues) {
          expect(issue.message).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  test("that is rejected gives neither an option nor a rule, and its scope is invalid", () => {
    fc.assert(
      fc.property(source, (project) => {
        const compiled = compileConfig({ project: { ...project, trusted: true } });
        fc.pre(!compiled.ok);
        expect(compiled.options).toEqual(DEFAULT_OPTIONS);
        expect(compiled.scopes.invalid).toContain("project");
        expect(compiled.scopes.project).toBeUndefined();
      }),
    );
  });

  test("is the same by its text and by its value", () => {
    fc.assert(
      fc.property(anyFile, (value) => {
        const byText = compileConfig({ user: { text: JSON.stringify(value) } });
        const byValue = compileConfig({ user: { value } });
        expect(byText.ok).toBe(byValue.ok);
        expect(byText.options).toEqual(byValue.options);
        expect(byText.scopes).toEqual(byValue.scopes);
      }),
    );
  });
});
