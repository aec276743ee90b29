import { beforeAll, describe, expect, it } from "vitest";
import { prepareJudging } from "../../src/policy/prepare-judging.ts";
import { BORDERS } from "../hostile/borders.ts";
import { corpusOf, type HostileInput } from "../hostile/corpus.ts";
import { takeGuarded, wrongWith } from "../hostile/guarded.ts";
import { runs, SEED } from "../support/random-tests.ts";

/** Some of a corpus, evenly from all of its parts; which ones the seed says. */
function someOf(sound: string, size: number): readonly HostileInput[] {
  const all = [...corpusOf(sound)];
  const step = Math.max(1, all.length / size);
  const first = SEED % Math.ceil(step);
  const places = Array.from({ length: Math.min(size, all.length) }, (_, i) =>
    Math.floor(first + i * step),
  );
  return places.flatMap((place) => all[place % all.length] ?? []);
}

beforeAll(prepareJudging);

describe.each(BORDERS)("hostile bytes as $name", (border) => {
  it("come to nothing: no throw, no hang, no allow, nothing that a screen obeys", async () => {
    for (const { name, bytes } of someOf(border.sound, runs(80))) {
      const told = await takeGuarded(border, bytes());
      expect([name, wrongWith(told)]).toEqual([name, null]);
    }
  });

  it("leave sound ones right behind them taken", async () => {
    const sound = Buffer.from(border.sound);
    expect(await border.take(sound)).toMatchObject({ taken: true, allows: false });
  });
});
