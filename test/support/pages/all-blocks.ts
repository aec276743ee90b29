import type { Block } from "./block.ts";
import { cliBlocks } from "./cli-blocks.ts";
import { configBlocks } from "./config-blocks.ts";
import { deployBlocks } from "./deploy-blocks.ts";
import { permissionBlocks } from "./permission-blocks.ts";
import { recordBlocks } from "./record-blocks.ts";
import { refusalBlocks } from "./refusal-blocks.ts";
import { wireBlocks } from "./wire-blocks.ts";

/** Every part of a page that is made from the source. */
export function allBlocks(): readonly Block[] {
  return [
    ...cliBlocks(),
    ...configBlocks(),
    ...wireBlocks(),
    ...refusalBlocks(),
    ...deployBlocks(),
    ...recordBlocks(),
    ...permissionBlocks(),
  ];
}
