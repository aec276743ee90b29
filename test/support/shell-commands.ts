import fc from "fast-check";

/** Names that the lab knows; each records how it was called. */
export const LAB_NAMES = ["a", "b", "rm", "cat", "curl"] as const;

const name = fc.constantFrom<string>(...LAB_NAMES, "r\\m", "'rm'", '"cat"', "$'\\x72m'", "r\\\nm");

/** Words without a blank in them. */
const PLAIN = String.raw`x -f s/k ./k *.q [ab] s/* s*/k ?/k */* [r-t]/k s/[!a] s\*/k **/k {s,t}*/k s/[k "s"/* ~/k a=b #x x# {x,y} s/{k,l} ! ] if done time 1 $ % @ + , ^ \; \& \# '' "" '#' "a\"b" $'a\'b' $'s\x2fk' $'\\' x$'y' $"x" ~+/s/k ~-/k ~root/k`;

const plain = fc.constantFrom(
  ...PLAIN.split(" "),
  "'q r'",
  '"q r"',
  "'$(rm z)'",
  '"\\$(rm z)"',
  "'`rm z`'",
  "a\\\nb",
);

const EXPANDING =
  '$X "$X" ${X} ${X:-d} $HOME/k "$HOME" $? $# $$ ${#X} $((1+2)) $((X)) ${X%k} ${X:1:2} ${X^^} ${!X} ${X@P} ${A[@]} ${A[0]} "$@" $1 $PWD/k';

const expanding = fc.constantFrom(
  ...EXPANDING.split(" "),
  '"${X:-$(rm d)}"',
  "$((X + $(a)))",
  "${X/k/$(rm d)}",
  "${A[$(rm d)]}",
);

/** Commands as agents write them, and as nobody would: nested, quoted, continued and redirected. */
const grammar = fc.letrec<Record<string, string>>((tie) => {
  const list = tie("list");
  const word = fc.oneof(
    { weight: 8, arbitrary: plain },
    { weight: 3, arbitrary: expanding },
    { weight: 1, arbitrary: list.map((text) => `$(${text})`) },
    { weight: 1, arbitrary: list.map((text) => `"q $(${text}) r"`) },
    { weight: 1, arbitrary: list.map((text) => `\`${text}\``) },
    { weight: 1, arbitrary: list.map((text) => `<(${text})`) },
    { weight: 1, arbitrary: fc.tuple(plain, expanding).map(([a, b]) => a + b) },
  );
  const redirect = fc.oneof(
    { weight: 4, arbitrary: word.map((to) => `>${to}`) },
    fc.constantFrom("2>&1", "2>/dev/null", ">&2", "&>o", "<&-", "3<s/k", "{f}>o", ">|o", "<>o"),
    word.map((from) => `<<< ${from}`),
  );
  const part = fc.oneof({ weight: 5, arbitrary: word }, { weight: 1, arbitrary: redirect });
  const blank = fc.constantFrom(" ", " ", " ", "  ", "\t", " \\\n ", "\\\n ");
  const prefix = fc.oneof(
    { weight: 6, arbitrary: fc.constant("") },
    word.map((value) => `X=${value} `),
    word.map((value) => `A=(${value}) `),
    redirect.map((one) => `${one} `),
  );
  const simple = fc
    .tuple(prefix, name, fc.array(fc.tuple(blank, part), { maxLength: 3 }))
    .map(([before, command, parts]) => before + command + parts.flat().join(""));
  const builtin = fc.oneof(
    word.map((value) => `X=${value}`),
    word.map((value) => `export X=${value}`),
    word.map((value) => `echo ${value}`),
    word.map((value) => `[ -n ${value} ]`),
    word.map((value) => `[[ ${value} == x* ]]`),
    fc
      .tuple(word, fc.constantFrom("&&", "||", "<", ">", "=~", "-nt", "&& -n", "|| ! -f"), word)
      .map(([a, operator, b]) => `[[ ${a} ${operator} ${b} ]]`),
    fc
      .tuple(name, fc.constantFrom("*", ">", "+=", "", "++", "|"), word)
      .map(([a, operator, b]) => `((${a} ${operator} ${b}))`),
    word.map((value) => `test ${value} = x`),
    fc.constantFrom(
      "cd s",
      "cd ..",
      "true",
      "false",
      "read X",
      "unset X",
      "X=s/k",
      "i=0",
      "((i++))",
      "rm=1; ((rm * 2))",
      "a=1; ((a < 3))",
    ),
    fc.constantFrom(
      "shopt -s extglob",
      "set -- x y",
      "trap 'rm t' EXIT",
      "alias a='rm t'",
      "let X=1",
    ),
  );
  const document = fc
    .tuple(simple, fc.constantFrom("E", "'E'", '"E"', "\\E"), fc.boolean(), word)
    .chain(([command, tag, tabs, body]) =>
      fc
        .constantFrom("", " | a", " && rm y", "; b", " -n", " >o", " # c", " | { cat; }", " &")
        .map((rest) => `${command} <<${tabs ? "-" : ""}${tag}${rest}\n${body} y\nE\n`),
    );
  const body = fc.oneof(
    { weight: 6, arbitrary: simple },
    { weight: 2, arbitrary: builtin },
    { weight: 1, arbitrary: document },
    { weight: 1, arbitrary: list.map((text) => `(${text})`) },
    { weight: 1, arbitrary: list.map((text) => `{ ${text}; }`) },
    { weight: 1, arbitrary: list.map((text) => `! ${text}`) },
    { weight: 1, arbitrary: list.map((text) => `time ${text}`) },
    { weight: 1, arbitrary: fc.tuple(list, list).map(([a, b]) => `if ${a}; then ${b}; fi`) },
    { weight: 1, arbitrary: fc.tuple(word, list).map(([a, b]) => `for X in ${a}; do ${b}; done`) },
    { weight: 1, arbitrary: fc.tuple(word, list).map(([a, b]) => `case ${a} in *) ${b};; esac`) },
    { weight: 1, arbitrary: list.map((text) => `f() { ${text}; }; f`) },
    { weight: 1, arbitrary: list.map((text) => `f () (${text}); f s/k`) },
    { weight: 1, arbitrary: list.map((text) => `for ((i=0; i<1; i++)); do ${text}; done`) },
    { weight: 1, arbitrary: list.map((text) => `coproc { ${text}; }`) },
    { weight: 1, arbitrary: list.map((text) => `function f { ${text}; }; f`) },
    { weight: 1, arbitrary: list.map((text) => `function f\n{ ${text}\n}\nf`) },
    { weight: 1, arbitrary: list.map((text) => `select X in a b\ndo ${text}\ndone`) },
    {
      weight: 1,
      arbitrary: fc.tuple(list, list).map(([a, b]) => `case a in a) ${a} ;& b) ${b} ;; esac`),
    },
  );
  const joint = fc.constantFrom(
    "; ",
    " && ",
    " || ",
    " | ",
    " |& ",
    "\n",
    " & ",
    ";",
    "&&",
    " # it's\n",
  );
  const chain = fc
    .tuple(body, fc.array(fc.tuple(joint, body), { maxLength: 2 }))
    .map(([first, rest]) => first + rest.flat().join(""));
  return { list: fc.oneof({ depthSize: "small", withCrossShrink: true }, simple, chain) };
});

/** A text after a few characters were lost, added or put in the place of others. */
function mutated(text: string, changes: readonly (readonly [number, string, boolean])[]): string {
  return changes.reduce((now, [at, piece, replaces]) => {
    const place = at % (now.length + 1);
    return now.slice(0, place) + piece + now.slice(place + (replaces ? 1 : 0));
  }, text);
}

const PIECES = "; & | ( ) { } < > $ ` ' \" \\ # ! = [ ] * ? ~ $( ${ (( )) <<E $' $\"";

const piece = fc.constantFrom(...PIECES.split(" "), "", " ", "\n", "\r", "\t", "\\\n", "rm z");

/** Whole commands. */
export const shellCommand: fc.Arbitrary<string> = grammar["list"] ?? fc.constant("a");

/** Commands with a few random changes, most of which no shell takes. */
export const brokenCommand: fc.Arbitrary<string> = fc
  .tuple(shellCommand, fc.array(fc.tuple(fc.nat(400), piece, fc.boolean()), { maxLength: 3 }))
  .map(([text, changes]) => mutated(text, changes));
