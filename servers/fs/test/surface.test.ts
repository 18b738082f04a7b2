import { compileServer } from '@org/mcp-decorators';
import { surface } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { FilesystemServer } from '../src/index.ts';

describe('the surface of the filesystem server', () => {
  it('changes only on purpose', () => {
    expect(surface(FilesystemServer)).toMatchSnapshot();
  });

  it('fits into 20,000 bytes of manifest', () => {
    expect(surface(FilesystemServer).manifestBytes).toBeLessThan(20_000);
  });

  it('lets hosts show whole results of tools that read and search, for every --max-bytes', () => {
    const tools = [...compileServer(FilesystemServer).tools.values()].map(({ definition }) => definition);
    const large = tools.filter(({ _meta }) => _meta?.['anthropic/maxResultSizeChars'] === 500_000);
    expect(large.map(({ name }) => name).toSorted()).toEqual([
      'directory_tree',
      'read_multiple_files',
      'read_text_file',
      'search_content',
      'search_files',
    ]);
  });
});
