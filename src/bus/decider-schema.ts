export { decisionSource } from "../wire/decider.ts";
