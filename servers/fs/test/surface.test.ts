import { compileServer } from '@org/mcp-decorators';
import { ERAS, surface } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { FilesystemServer } from '../src/index.ts';
import { connectFiles, temporaryDirectory } from './fixtures/temporary.ts';

describe('the surface of the filesystem server', () => {
  it('changes only on purpose', () => {
    expect(surface(FilesystemServer)).toMatchSnapshot();
  });

  it.each(ERAS)('fits into 20,000 bytes of tools/list on a %s connection with the default tool set', async (era) => {
    await using session = await connectFiles({ directories: [await temporaryDirectory()] }, era);
    const { tools } = await session.client.listTools();
    expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThan(20_000);
  });

  it('lets hosts show whole results of tools that read and search, for every --max-bytes', () => {
    const tools = [...compileServer(FilesystemServer).tools.values()].map(({ definition }) => definition);
    const large = tools.filter(({ _meta }) => _meta?.['anthropic/maxResultSizeChars'] === 500_000);
    expect(large.map(({ name }) => name).toSorted()).toEqual([
      'directory_tree',
      'read_document',
      'read_multiple_files',
      'read_text_file',
      'search_content',
      'search_files',
    ]);
  });
});
