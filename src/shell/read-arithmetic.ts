import { match, note, peek, type Reader, sees, unclear } from "./reader.ts";

/** Reads an expansion that begins with a dollar; null when the dollar is only itself. */
export type DollarReader = (
  reader: Reader,
  quoted: boolean,
) => { readonly name: string | null; readonly numeric: boolean } | null;

const NUMBER = /(?:0[xX][0-9A-Fa-f]+|\d+)(?![\w#])/y;
const VARIABLE = /([A-Za-z_]\w*)([ \t]*=(?!=))?/y;
const OPERATORS = /[-+*/%<>=!&|^~?:, \t\n]+/y;

/**
 * Reads a calculation and takes its end, `))`. What variables hold is calculated with in turn, commands in
 * subscripts included: those are remembered, and output of commands is a hazard.
 */
export function calculate(reader: Reader, dollar: DollarReader, separated = false): void {
  let depth = 0;
  while (depth > 0 || !sees(reader, "))")) {
    const character = peek(reader);
    if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    else if (character !== ";" || !separated || depth > 0) {
      takeTerm(reader, character, dollar);
      continue;
    }
    if (depth < 0) unclear();
    reader.at += 1;
  }
  reader.at += 2;
}

function takeTerm(reader: Reader, character: string, dollar: DollarReader): void {
  if (character === "$") {
    const value = dollar(reader, true);
    if (value === null) unclear();
    if (value.name !== null) reader.found.calculated.add(value.name);
    else if (!value.numeric) reader.found.hazard = true;
    return;
  }
  const plain = match(reader, OPERATORS) ?? match(reader, NUMBER);
  if (plain === null) takeVariable(reader);
  else reader.at += plain[0].length;
}

function takeVariable(reader: Reader): void {
  const [whole, name = "", sign] = match(reader, VARIABLE) ?? unclear();
  reader.at += whole.length;
  if (sign === undefined) reader.found.calculated.add(name);
  else note(reader.found.assignments, { name, word: null, numeric: true, from: 0, to: 0 });
}
