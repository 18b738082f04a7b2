import { Flag, Integer, Text, type Result } from '@org/mcp-decorators';

import { visibleName } from '../../text/format.ts';
import { changeResult } from './change-result.ts';

/** A file with new content. */
export class WrittenFile {
  @Text() path!: string;
  @Integer() bytes!: number;
  @Flag() created!: boolean;
  @Text() etag!: string;
  @Text({ optional: true }) previousEtag?: string;
  @Text({ optional: true }) undoId?: string;
  @Text({ optional: true }) warning?: string;
}

/** @param verb for a file that existed before */
export function writtenFileResult(written: WrittenFile, verb: 'Replaced' | 'Appended to'): Result {
  const { path, bytes, created, etag } = written;
  const size = created || verb === 'Replaced' ? `${bytes} bytes` : `now ${bytes} bytes`;
  const done = `${created ? 'Created' : verb} ${visibleName(path)} (${size}, etag ${etag})`;
  return changeResult(written, done, [path]);
}
