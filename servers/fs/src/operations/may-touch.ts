import { ToolError } from '@org/mcp-decorators';

import type { Files } from '../files.ts';

/** Whether a call may know of a change of these paths. What is not there any more may have been touched. */
export async function mayTouch({ roots }: Files, paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    try {
      const place = await roots.placeToMove(path);
      await place[Symbol.asyncDispose]();
    } catch (error) {
      if (!ToolError.is(error)) throw error;
      if (HIDDEN.has(error.code)) return false;
    }
  }
  return true;
}

const HIDDEN: ReadonlySet<string> = new Set(['PATH_OUTSIDE_ROOTS', 'DENIED_BY_POLICY', 'ROOTS_REQUIRED', 'INVALID_PATH']);
