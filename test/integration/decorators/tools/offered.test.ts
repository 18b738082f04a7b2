import { Feature, McpServer, Tool, type ToolDefinition, type ToolOfferer } from '@org/mcp-decorators';
import { connect, connectHttp, ERAS } from '@org/mcp-testing';
import { describe, expect, it } from 'vitest';

const READS = { readOnlyHint: true };

class Archive implements ToolOfferer {
  isOpen = false;

  @Tool({ description: 'Read the archive', annotations: READS }) readArchive(): string {
    return 'old';
  }
  offers(): boolean {
    return this.isOpen;
  }
}

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes implements ToolOfferer {
  @Feature() readonly archive: Archive = new Archive();
  readonly refused: string[] = ['write'];

  @Tool({ description: 'Read a note', annotations: READS }) read(): string {
    return 'a note';
  }
  @Tool({ description: 'Write a note' }) write(): string {
    return 'written';
  }
  @Tool({ description: 'Delete all notes', sets: ['danger'] }) deleteAll(): string {
    return 'deleted';
  }
  offers({ name }: Pick<ToolDefinition, 'name'>): boolean {
    return !this.refused.includes(name);
  }
}

const WAYS = ERAS.flatMap((era) => [
  { way: `memory, ${era}`, era, join: connect },
  { way: `http, ${era}`, era, join: connectHttp },
]);

describe.each(WAYS)('the tools of a server, by $way,', ({ era, join }) => {
  it('are those that the server object and its features offer, in the default set', async () => {
    const server = new Notes();
    await using session = await join(server, { era });
    expect(await session.toolNames()).toEqual(['read']);
    for (const name of ['write', 'delete_all', 'read_archive'])
      await expect(session.call(name)).rejects.toMatchObject({ code: -32_602, message: expect.stringContaining('Unknown tool') });
    server.refused.length = 0;
    server.archive.isOpen = true;
    expect(await session.toolNames()).toEqual(['read', 'write', 'read_archive']);
    server.refused.push('read_archive');
    expect(await session.toolNames()).toEqual(['read', 'write']);
  });

  it('are selected by the options', async () => {
    const server = Object.assign(new Notes(), { refused: [] });
    await using session = await join(server, { era, tools: ['default', 'danger'], disableTools: ['write'] });
    expect(await session.toolNames()).toEqual(['read', 'delete_all']);
    await using reading = await join(server, { era, tools: ['all'], readOnly: true });
    expect(await reading.toolNames()).toEqual(['read']);
  });

  it('are selected by the options of the server object and its features, which the options of the factory cannot undo', async () => {
    const server = Object.assign(new Notes(), { refused: [], toolSelection: { tools: ['all'], disableTools: ['write'] } });
    Object.assign(server.archive, { isOpen: true, toolSelection: { readOnly: true } });
    await using session = await join(server, { era });
    expect(await session.toolNames()).toEqual(['read', 'delete_all', 'read_archive']);
    await using other = await join(server, { era, tools: ['default', 'write'] });
    expect(await other.toolNames()).toEqual(['read', 'read_archive']);
    const reading = Object.assign(new Notes(), { refused: [], toolSelection: { readOnly: true } });
    await using limited = await join(reading, { era, tools: ['all'], readOnly: false });
    expect(await limited.toolNames()).toEqual(['read']);
    const without = new Notes();
    Object.assign(without.archive, { isOpen: true, toolSelection: { disableTools: ['read_archive', 'read'] } });
    await using partial = await join(without, { era, tools: ['all'] });
    expect(await partial.toolNames()).toEqual(['read', 'delete_all']);
  });

  it('cannot be selected by an unknown name', async () => {
    await expect(join(new Notes(), { era, tools: ['raed'] })).rejects.toThrow('unknown tool "raed"; did you mean "read"?');
  });
});
