export { openAskHead, shownAsk, whereaboutsFields } from "../wire/control-schemas.ts";
