import { writeFileSync } from "node:fs";
import { EXPLAINED_PAGE, readPage, retold } from "./explained-page.ts";

writeFileSync(EXPLAINED_PAGE, await retold(readPage()));
