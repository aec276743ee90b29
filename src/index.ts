export type { Ask, AskSource } from "./ask/ask.ts";
