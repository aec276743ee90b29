/** What an operator was answered. */
export interface GivenAnswer {
  /** Digest of the want: another one under the same id is no repeat. */
  readonly digest: string;
  readonly body: string;
}

/** Answers given to operators, so that repeats get the same bytes and change nothing. */
export interface AnswerMemory {
  find(operatorToken: string, id: string): GivenAnswer | null;
  keep(operatorToken: string, id: string, answer: GivenAnswer): void;
}

/** Remembers the newest answers, at most so many and so many characters of them. */
export function openAnswerMemory(most: {
  readonly answers: number;
  readonly characters: number;
}): AnswerMemory {
  const kept = new Map<string, GivenAnswer>();
  let characters = 0;
  // Neither part can hold a dot.
  const keyOf = (operatorToken: string, id: string): string => `${operatorToken}.${id}`;

  return {
    find: (operatorToken, id) => kept.get(keyOf(operatorToken, id)) ?? null,
    keep: (operatorToken, id, answer) => {
      kept.set(keyOf(operatorToken, id), answer);
      characters += answer.body.length;
      for (const [oldest, { body }] of kept) {
        if (kept.size <= most.answers && characters <= most.characters) break;
        kept.delete(oldest);
        characters -= body.length;
      }
    },
  };
}
