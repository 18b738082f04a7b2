import { Result } from '@org/mcp-decorators';

import type { WrittenFile } from './operations/write-file.ts';
import { visibleName } from './text/escape.ts';

export function writtenResult(written: WrittenFile): Result {
  return Result.of(written, `${written.created ? 'Created' : 'Replaced'} ${visibleName(written.path)} (${written.bytes} bytes)`);
}
