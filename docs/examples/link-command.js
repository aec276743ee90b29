// A link as a program: one question on standard input, one verdict on standard output, exit code 0.
import { stdin, stdout } from "node:process";

let text = "";
for await (const part of stdin.setEncoding("utf8")) text += part;
const { details } = JSON.parse(text);
const forced = details.value?.includes("--force") === true;
stdout.write(
  JSON.stringify(forced ? { kind: "deny", reason: "without --force" } : { kind: "defer" }),
);
