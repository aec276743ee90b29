import { setTimeout as pause } from "node:timers/promises";
import { GRANTED, KINDS, type Kind, LARGE, SWINGING } from "./asks/kinds.ts";
import type { StormFault, Strike } from "./faults/fault.ts";
import { chainFaults, judge, type Verdict } from "./judge/judge.ts";
import type { Node } from "./nodes/node.ts";
import { type Random, randomOf } from "./random.ts";
import { CHILDREN, type Scene } from "./scene.ts";

/** Strikes of a fault that must have hit while asks were open. */
export const LEAST_STRIKES = 5;

/** So many times the least strikes end the weather: a busy machine brings little about between two of them. */
const ENOUGH = 4;

/** Asks for each strike of a mix, in which every fault is to have its turn. */
const ASKS_PER_STRIKE = 6;

/** How long a fault waits for an open ask before it strikes all the same, in milliseconds. */
const UNSTRUCK_MS = 5_000;

/** Longest that a fault may take to strike and be mended, in milliseconds. */
const STUCK_MS = 180_000;

/** How long calls may stay open after the last fault was mended, and parents may take to hear of it, in milliseconds. */
const CALM_MS = 90_000;
const AGREE_MS = 60_000;
const AGREE_AGAIN_MS = 5_000;

/** What one run is told. */
export interface Run {
  readonly scene: Scene;
  readonly asks: number;
  /** Faults that strike by turns in the same weather; several weathers at once; none for calm. */
  readonly weathers: readonly (readonly StormFault[])[];
  readonly say: (text: string) => void;
}

/** What one run came to. */
export interface Result {
  readonly verdict: Verdict;
  /** Strikes while asks were open, by fault. */
  readonly fired: ReadonlyMap<string, number>;
  readonly reprompted: number;
  /** What is wrong besides the calls themselves. */
  readonly wrong: readonly string[];
}

/** Puts calls while faults strike, waits until all is calm, ends everything in order and judges. */
export async function runFaults(run: Run): Promise<Result> {
  const { scene, asks, say } = run;
  const { feed } = scene;
  const faults = run.weathers.flat();
  const fired = new Map<string, number>(faults.map(({ name }) => [name, 0]));
  const begun = performance.now();
  const mixed = faults.length > 1 ? Math.ceil(asks / ASKS_PER_STRIKE) : 0;
  const least = Math.max(LEAST_STRIKES, mixed);
  const weather: Weather = { over: run.weathers.length === 0, strikes: 0, least };
  const strike = strikeOf(run, (fault, what) => {
    const open = feed.open();
    const at = ((performance.now() - begun) / 1_000).toFixed(1).padStart(6);
    say(`${at} s  ${fault}: ${what}, ${String(open)} asks open`);
    if (open === 0) return;
    weather.strikes += 1;
    fired.set(fault, (fired.get(fault) ?? 0) + 1);
  });
  const kinds = kindsOf(faults);
  const putting = { over: false };
  const storm = Promise.all(
    run.weathers.map(async (some, place) => {
      const random = randomOf(scene.seed, `faults ${String(place)}`);
      await rage(run, { faults: some, random, strike, weather, putting });
    }),
  ).finally(() => {
    weather.over = true;
  });
  await put(run, { kinds, weather, upTo: asks });
  putting.over = true;
  await storm;
  await calm(scene);
  // What a killed process had not read was never asked: so many more are, in the calm.
  for (let rounds = 0; rounds < 5; rounds += 1) {
    const { neverAsked } = await settled(scene, rounds === 0 ? AGREE_MS : AGREE_AGAIN_MS);
    const missing = asks + neverAsked - feed.calls.length;
    if (missing <= 0) break;
    await put(run, { kinds, weather: CALM, upTo: asks + neverAsked });
    await calm(scene);
  }
  const wrong = await endAll(scene);
  const chains = await chainFaults(scene);
  const verdict = await judge(scene);
  const { counts } = verdict;
  return {
    verdict: { ...verdict, counts: { ...counts, lost: counts.lost + chains.missing } },
    fired,
    reprompted: scene.person.reprompted(),
    wrong: [...wrong, ...chains.why, ...scene.surprises, ...feed.strange],
  };
}

interface Weather {
  over: boolean;
  strikes: number;
  /** Strikes over which the calls are spread. */
  readonly least: number;
}

const CALM: Weather = { over: true, strikes: 0, least: 0 };

function strikeOf(
  { scene }: Run,
  fired: (fault: string, what: string) => void,
): (fault: StormFault, random: Random) => Promise<void> {
  return async (fault, random) => {
    const strike: Strike = {
      scene,
      random,
      fired: (what) => fired(fault.name, what),
      pause: async (least, most) => pause(random.between(least, most)),
    };
    await fault.strike(strike);
  };
}

/** Strikes on until it has struck often enough and all calls are put. */
async function rage(
  { scene, say }: Run,
  of: {
    readonly faults: readonly StormFault[];
    readonly random: Random;
    readonly strike: ReturnType<typeof strikeOf>;
    readonly weather: Weather;
    readonly putting: { readonly over: boolean };
  },
): Promise<void> {
  const { random, weather, putting } = of;
  const turns = turnsOf(of.faults, random);
  const most = weather.least * ENOUGH;
  try {
    await pause(random.between(300, 800));
    while ((!putting.over || weather.strikes < weather.least) && weather.strikes < most) {
      await within(UNSTRUCK_MS, async () => scene.feed.open() > 0 || putting.over, 5);
      await pause(random.between(0, 60));
      await Promise.race([of.strike(turns(), random), stuck()]);
      if (putting.over && scene.feed.open() === 0) break;
    }
  } catch (error) {
    scene.surprises.push(`a fault could not be mended: ${firstLine(error)}`);
    say(`a fault could not be mended: ${firstLine(error)}`);
  }
}

/** @throws Error when a fault takes longer than any should. */
async function stuck(): Promise<never> {
  await pause(STUCK_MS, undefined, { ref: false });
  throw new Error("it took too long");
}

/** Every fault once, in an order of chance, again and again. */
function turnsOf(faults: readonly StormFault[], random: Random): () => StormFault {
  let left: StormFault[] = [];
  return () => {
    if (left.length === 0) left = [...faults];
    const [next] = left.splice(random.between(0, left.length - 1), 1);
    if (next === undefined) throw new RangeError("no fault was given");
    return next;
  };
}

/** Puts calls so that they spread over the strikes: no fault finds all of them ended. */
async function put(
  { scene, asks }: Run,
  of: {
    readonly kinds: readonly [Kind, ...Kind[]];
    readonly weather: Weather;
    readonly upTo: number;
  },
): Promise<void> {
  const random = randomOf(scene.seed, `order ${String(of.upTo)}`);
  const { feed } = scene;
  const { weather } = of;
  /** A run of few asks has them come slower, so that they last for as many strikes. */
  const slowly = Math.min(SLOWEST, Math.max(1, USUAL_ASKS / asks));
  /** How long to wait before the next: not at all while there is room, a little so that some are always open. */
  const pauseOf = (): readonly [number, number] | null => {
    const open = feed.open();
    const struck = weather.strikes >= weather.least;
    const share = struck ? asks : (asks * (weather.strikes + 1)) / (weather.least + 1) / 2;
    if (weather.over || (feed.calls.length < share && open < MOST_OPEN)) return [5, 60];
    return open < FEW_OPEN ? [Math.round(200 * slowly), Math.round(450 * slowly)] : null;
  };
  while (feed.calls.length < of.upTo) {
    const wait = pauseOf();
    if (wait !== null) {
      const place = feed.calls.length % CHILDREN.length;
      const kind = feed.calls.length % 24 === 23 ? LARGE : random.pick(of.kinds);
      feed.put(askerAt(scene, place, random), CHILDREN[place] ?? "", kind);
    }
    await pause(random.between(...(wait ?? [5, 20])));
  }
}

/** The child at a place; now and then the second process of its session, while there is one. */
function askerAt({ children, twin }: Scene, place: number, random: Random): Node {
  const hasTwin = place === 0 && twin.running() !== null && random.next() < 0.5;
  return hasTwin ? twin : (children[place] ?? twin);
}

/** Most calls that are open at a time, and those that always are: every strike finds some. */
const MOST_OPEN = 48;
const FEW_OPEN = 6;
const USUAL_ASKS = 240;
const SLOWEST = 8;

function kindsOf(faults: readonly StormFault[]): readonly [Kind, ...Kind[]] {
  const further = [SWINGING, GRANTED].filter(({ verb }) =>
    faults.some(({ kinds }) => kinds?.includes(verb)),
  );
  return [...KINDS, ...further, ...further, ...further];
}

/** Waits until no call is open. Who is late is judged later. */
async function calm({ feed }: Scene): Promise<void> {
  await within(CALM_MS, async () => feed.open() === 0);
}

/** Waits until both ends have said the same of every call, for as long as that may take. */
async function settled(scene: Scene, waitMs: number): Promise<Verdict> {
  let verdict = await judge(scene);
  await within(waitMs, async () => {
    verdict = await judge(scene);
    return verdict.found.length === 0;
  });
  return verdict;
}

async function within(ms: number, probe: () => Promise<boolean>, everyMs = 300): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await probe()) && performance.now() < deadline) await pause(everyMs);
}

/** Ends every program in order and waits until the store has all. */
async function endAll(scene: Scene): Promise<readonly string[]> {
  const wrong: string[] = [];
  const end = async (node: Node, how: "SIGTERM" | "input"): Promise<void> => {
    const code = await node.end(how).catch(firstLine);
    if (code !== 0) wrong.push(`${node.name} ended with ${String(code)}`);
  };
  for (const child of [...scene.children, scene.twin]) await end(child, "input");
  if (scene.middle !== null) await end(scene.middle, "SIGTERM");
  if (scene.spare !== null) await end(scene.spare, "SIGTERM");
  await end(scene.lead, "SIGTERM");
  await within(AGREE_MS, async () => (await chainFaults(scene)).why.length === 0);
  await end(scene.sink, "SIGTERM");
  return wrong;
}

function firstLine(error: unknown): string {
  return String(error).split("\n")[0] ?? "";
}
