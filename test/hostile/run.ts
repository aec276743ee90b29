import { prepareJudging } from "../../src/policy/prepare-judging.ts";
import type { Border } from "./border.ts";
import { BORDERS } from "./borders.ts";
import { corpusOf } from "./corpus.ts";
import { isHang, takeGuarded, wrongWith } from "./guarded.ts";

interface Count {
  inputs: number;
  taken: number;
  crashes: number;
  hangs: number;
  wrong: number;
}

const none = (): Count => ({ inputs: 0, taken: 0, crashes: 0, hangs: 0, wrong: 0 });

/** Puts the whole corpus to every border whose name has these words, and counts what came of it. */
async function main(words: string): Promise<void> {
  await prepareJudging();
  const all = none();
  for (const border of BORDERS.filter(({ name }) => name.includes(words))) {
    const count = await putAll(border);
    tell(border.name, count);
    for (const key of Object.keys(all) as (keyof Count)[]) all[key] += count[key];
  }
  tell("all", all);
  const peak = Math.round(process.resourceUsage().maxRSS / 1024);
  process.stdout.write(`peak memory ${String(peak)} MiB\n`);
  process.exitCode = all.crashes + all.hangs + all.wrong === 0 ? 0 : 1;
}

async function putAll(border: Border): Promise<Count> {
  const count = none();
  for (const { name, bytes } of corpusOf(border.sound)) {
    count.inputs += 1;
    try {
      const told = await takeGuarded(border, bytes());
      if (told.taken) count.taken += 1;
      const wrong = wrongWith(told);
      if (wrong === null) continue;
      count.wrong += 1;
      process.stdout.write(`  ${JSON.stringify(name)}: ${wrong}\n`);
    } catch (error) {
      count[isHang(error) ? "hangs" : "crashes"] += 1;
      process.stdout.write(`  ${JSON.stringify(name)}: ${String(error)}\n`);
    }
  }
  return count;
}

function tell(name: string, { inputs, taken, crashes, hangs, wrong }: Count): void {
  const counts = `inputs ${String(inputs)} taken ${String(taken)} crashes ${String(crashes)} hangs ${String(hangs)} wrong ${String(wrong)}`;
  process.stdout.write(`${name}: ${counts}\n`);
}

await main(process.argv.slice(2).join(" "));
