import { describe, expect, it } from "vitest";
import type { Log } from "../../../src/ask/ports.ts";
import {
  aCall,
  type ChildScene,
  childScene,
  fakeTime,
  pass,
  settle,
} from "../../support/child-scene.ts";

const SIGN = "af.v1.test.up.parent-1.child-1";

const signs = (scene: ChildScene): readonly unknown[] =>
  scene.broker.log
    .filter(({ subject }) => subject === SIGN)
    .map(({ data }) => JSON.parse(Buffer.from(data).toString()) as unknown);

function warnings(): { readonly log: Log; readonly told: readonly string[] } {
  const told: string[] = [];
  const quiet = (): void => undefined;
  const warn = (_fields: object, text: string): void => void told.push(text);
  return { log: { debug: quiet, info: quiet, warn, error: quiet }, told };
}

describe("a child whose ask waits at its parent", () => {
  it("says at once that it lives, and each second as long as it does", async () => {
    fakeTime();
    await using scene = await childScene();
    const outcome = scene.child.decide(aCall());
    const ask = await scene.ask();
    expect(signs(scene)).toEqual([]);
    scene.parent.accept(ask);
    await settle();
    expect(signs(scene)).toMatchObject([
      { session: "child-1", state: "up", serving: false, openAsks: 1 },
    ]);
    await pass(2_100);
    expect(signs(scene)).toHaveLength(3);
    scene.parent.decide(ask);
    await outcome;
    await pass(2_000);
    expect(signs(scene).at(-1)).toMatchObject({ openAsks: 0 });
    await scene.child.close();
    const said = signs(scene).length;
    await pass(5_000);
    expect(signs(scene)).toHaveLength(said);
  });

  it("tells each process of its parent that takes an ask, at once", async () => {
    fakeTime();
    await using scene = await childScene();
    void scene.child.decide(aCall());
    const ask = await scene.ask();
    scene.parent.accept(ask);
    scene.parent.accept(ask);
    await settle();
    expect(signs(scene)).toHaveLength(1);
    scene.parent.accept(ask, "2.ab");
    await settle();
    expect(signs(scene)).toHaveLength(2);
  });

  it("sends no sign for an ask that is answered at once", async () => {
    await using scene = await childScene();
    const outcome = scene.child.decide(aCall());
    scene.parent.decide(await scene.ask());
    await outcome;
    expect(signs(scene)).toEqual([]);
  });

  it("says once on its log that the server refuses such signs, and sends no more of them", async () => {
    fakeTime();
    const { log, told } = warnings();
    await using scene = await childScene({ log });
    scene.port.permit({ publish: ["af.v1.test.ask.>", "af.v1.test.ack.>", "af.v1.test.cancel.>"] });
    void scene.child.decide(aCall());
    scene.parent.accept(await scene.ask());
    await pass(5_000);
    expect(signs(scene)).toEqual([]);
    expect(told.filter((text) => text.includes("that it lives"))).toHaveLength(1);
    expect(scene.child.pending()).toHaveLength(1);
  });
});
