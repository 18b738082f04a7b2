import { App, McpServer, Tool } from '@org/mcp-decorators';
import { connect, ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

import { NoteName } from './notes.ts';

const BOARD = 'ui://notebook/board';

@McpServer({ name: 'notebook', version: '1.0.0' })
class BoardServer {
  readonly notes = new Map([['today', 'water the plants']]);

  @App({ uri: BOARD, title: 'Board' })
  board(): string {
    return '<!doctype html><title>Board</title><script>/* shows the notes */</script>';
  }

  @Tool({ description: 'List the notes', app: BOARD, annotations: { readOnlyHint: true } })
  list(): string {
    return [...this.notes.keys()].join('\n');
  }

  @Tool({ description: 'Remove a note', app: BOARD, visibility: ['app'] })
  remove({ name }: NoteName): string {
    return this.notes.delete(name) ? 'removed' : 'not found';
  }
}

describe.each(ERAS)('the view in the guide, in the %s era,', (era) => {
  it('is shown by clients with MCP Apps, and calls its own tool', async () => {
    const capabilities = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
    await using session = await connect(new BoardServer(), { era, capabilities });
    expect(await session.client.readResource({ uri: BOARD })).toMatchObject({ contents: [{ uri: BOARD }] });
    expect(await session.text('remove', { name: 'today' })).toBe('removed');
  });

  it('does not exist for other clients', async () => {
    await using session = await connect(new BoardServer(), { era });
    expect((await session.client.listTools()).tools).toMatchObject([{ name: 'list' }]);
    await expect(session.client.readResource({ uri: BOARD })).rejects.toThrow(BOARD);
  });
});
