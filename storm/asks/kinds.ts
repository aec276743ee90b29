import type { Random } from "../random.ts";

/** How a call may truthfully end: allowed, denied, or lost for a named reason. */
export type End = "allowed" | "denied" | `lost ${string}`;

/** One kind of call that is put. */
export interface Kind {
  readonly name: string;
  /** First word of its command; each command is one of its own. */
  readonly verb: string;
  /** Ends that are true of it, whatever fault strikes. */
  readonly ends: readonly End[];
  /** What a person answers and after how long, in milliseconds; absent: nobody answers. */
  readonly person?: (random: Random) => Answer;
  /** After how many milliseconds its session takes it back. */
  readonly takenBack?: (random: Random) => number;
  /** Its life in milliseconds. */
  readonly lifeMs?: (random: Random) => number;
  /** How large its command is, in bytes beyond its name. */
  readonly bytes?: number;
}

/** What a person says to a prompt. */
export interface Answer {
  readonly afterMs: number;
  readonly answer: "allow" | "deny" | "allow_for_session" | "allow_for_serving_session";
}

/** A person takes a while, and not always the same. */
const AWHILE = [20, 1_500] as const;

/** Longest life of a call that nothing should end by itself, in milliseconds. */
export const PATIENT_MS = 240_000;

const afterAWhile = (random: Random): number => random.between(...AWHILE);

/** Whoever is asked again may say something else: what counts is what was applied. */
const fickle = (random: Random): Answer => ({
  afterMs: afterAWhile(random),
  answer: random.pick(["allow", "deny"] as const),
});

/** Reasons that are true of a call whose time was over, by what is known of its way. */
const OVER: readonly End[] = ["lost timed_out", "lost bus_unreachable", "lost not_serving"];

/** Every kind that needs no certain fault, each as often as it stands here. */
export const KINDS: readonly [Kind, ...Kind[]] = [
  { name: "allowed by rule", verb: "fetch", ends: ["allowed"] },
  { name: "denied by rule", verb: "erase", ends: ["denied"] },
  {
    name: "allowed by a person",
    verb: "make",
    ends: ["allowed"],
    person: (random) => ({ afterMs: afterAWhile(random), answer: "allow" }),
  },
  {
    name: "denied by a person",
    verb: "break",
    ends: ["denied"],
    person: (random) => ({ afterMs: afterAWhile(random), answer: "deny" }),
  },
  { name: "decided by a fickle person", verb: "toss", ends: ["allowed", "denied"], person: fickle },
  {
    name: "taken back",
    verb: "idle",
    ends: ["lost cancelled"],
    takenBack: (random) => random.between(200, 2_000),
  },
  {
    name: "taken back while a person answers",
    verb: "race",
    ends: ["allowed", "denied", "lost cancelled"],
    person: (random) => ({ ...fickle(random), afterMs: random.between(300, 700) }),
    takenBack: (random) => random.between(300, 900),
  },
  {
    name: "expired",
    verb: "wait",
    ends: OVER,
    lifeMs: (random) => random.between(1_000, 3_000),
  },
  {
    name: "expired while a person answers",
    verb: "brink",
    ends: ["allowed", "denied", ...OVER],
    person: (random) => ({ ...fickle(random), afterMs: random.between(900, 1_200) }),
    lifeMs: () => 1_050,
  },
];

/** Refused before it leaves: too large for any message. */
export const LARGE: Kind = {
  name: "too large",
  verb: "haul",
  ends: ["lost ask_too_large"],
  bytes: 300_000,
};

/** What the rules of the parent say of it changes while the storm goes on. */
export const SWINGING: Kind = {
  name: "by rules that change",
  verb: "swing",
  ends: ["allowed", "denied"],
  person: fickle,
};

/** A person's approval allows its like, until it is taken back. */
export const GRANTED: Kind = {
  name: "by grants that come and go",
  verb: "grant",
  ends: ["allowed"],
  person: (random) => ({
    afterMs: random.between(20, 300),
    answer: random.pick(["allow", "allow_for_session", "allow_for_serving_session"] as const),
  }),
};

/** The kinds a person may be asked about, by the first word of their command. */
export const BY_VERB: ReadonlyMap<string, Kind> = new Map(
  [...KINDS, LARGE, SWINGING, GRANTED].map((kind) => [kind.verb, kind]),
);
