import { spreadOf } from "../frame/figures.ts";
import type { Took } from "../frame/load.ts";
import type { Contest, Row } from "../frame/row.ts";
import type { Scene } from "../frame/scene.ts";

/** Calls in one round; the round's figure is the middle one. */
const COUNT = 1000;
/** Starts in one round; the round's figure is the middle one. */
const STARTS = 5;

interface Judged {
  readonly rules: number;
  /** Commands of each call; null: the typical call. */
  readonly units: number | null;
}

async function openJudging(scene: Scene, judged: Judged): Promise<Contest> {
  const judge = await scene.role("judge.ts", judged);
  const put = async (): Promise<number> => {
    const load = { count: scene.quick ? 50 : COUNT, concurrency: 1 };
    return (await judge.ask<Took>("put", load)).p50;
  };
  await put();
  return { value: put };
}

async function openStart(scene: Scene): Promise<Contest> {
  const start = async (): Promise<number> => {
    const took: number[] = [];
    for (let i = 0; i < (scene.quick ? 1 : STARTS); i += 1) {
      await using analyser = await scene.role("analyser.ts", {});
      took.push(await analyser.ask<number>("took"));
    }
    return spreadOf(took).median;
  };
  await start();
  return { value: start };
}

function row(name: string, judged: Judged, of: { atMost: number; says: string }): Row {
  const { atMost, says } = of;
  return {
    name,
    unit: "ms",
    says,
    goal: { atMost },
    open: async (scene) => openJudging(scene, judged),
  };
}

/** What a verdict of the own rules takes, before anybody is asked. */
export const VERDICTS: readonly Row[] = [
  row(
    "verdict-200",
    { rules: 200, units: null },
    {
      atMost: 0.5,
      says: "a typical shell call, each like no other, taken apart, put through the gates and judged by 200 rules, the middle of 1,000",
    },
  ),
  row(
    "verdict-100-20",
    { rules: 100, units: 20 },
    { atMost: 1, says: "the same with a call of 20 commands and 100 rules" },
  ),
  row(
    "verdict-10000",
    { rules: 10_000, units: null },
    { atMost: 5, says: "the typical call and 10,000 rules" },
  ),
  {
    name: "analyser-start",
    unit: "ms",
    says: "the grammar of the shell loaded and a first text understood with it, each time in a new process",
    goal: { atMost: 60 },
    open: openStart,
  },
];
