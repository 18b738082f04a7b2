import { compileServer, McpServer, Tool, toolsOf, type ListedTool, type ToolLister } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import { offersOf } from '../src/offers.ts';
import { UsageError } from '../src/usage-error.ts';

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  @Tool({ description: 'Read a note', annotations: { readOnlyHint: true } })
  readNote(): string {
    return '';
  }

  @Tool({ description: 'List the notes', annotations: { readOnlyHint: true, openWorldHint: false } })
  listNotes(): string {
    return '';
  }

  @Tool({ description: 'Write a note', annotations: { readOnlyHint: false }, sets: ['default', 'change'] })
  writeNote(): string {
    return '';
  }

  @Tool({ description: 'Says nothing of what it does' })
  touchNote(): string {
    return '';
  }

  @Tool({ description: 'Delete a note', sets: ['change'] })
  deleteNote(): string {
    return '';
  }

  @Tool({ description: 'List what was changed', annotations: { readOnlyHint: true }, scopes: ['write'], sets: [] })
  listChanges(): string {
    return '';
  }
}

const DEFAULT = ['read_note', 'list_notes', 'write_note', 'touch_note'];

class LivelyNotes extends Notes implements ToolLister {
  listTools(): readonly ListedTool[] {
    const listed = (name: string, options: object = {}): ListedTool => ({
      definition: { name, description: 'Comes and goes', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
      ...options,
      call: () => name,
    });
    const writing = { definition: { name: 'purge', description: 'Goes', inputSchema: { type: 'object' } } };
    return [listed('weekly'), listed('purge', writing), listed('audit', { sets: ['extra'] })];
  }
}

describe('the tools on offer', () => {
  it.each<readonly [object, readonly string[]]>([
    [{}, DEFAULT],
    [{ tools: ['default'] }, DEFAULT],
    [{ tools: ['all'] }, [...DEFAULT, 'delete_note', 'list_changes']],
    [{ tools: ['change'] }, ['write_note', 'delete_note']],
    [{ tools: ['change', 'read_note'] }, ['read_note', 'write_note', 'delete_note']],
    [{ disableTools: ['change'] }, ['read_note', 'list_notes', 'touch_note']],
    [{ tools: ['all'], disableTools: ['default'] }, ['delete_note', 'list_changes']],
    [{ tools: ['list_changes'] }, ['list_changes']],
    [{ tools: ['all'], readOnly: true }, ['read_note', 'list_notes']],
    [{ readOnly: true }, ['read_note', 'list_notes']],
    [{ tools: ['write_note', 'read_note'] }, ['read_note', 'write_note']],
    [{ tools: [] }, []],
    [{ disableTools: ['write_note'] }, ['read_note', 'list_notes', 'touch_note']],
    [{ disableTools: [] }, DEFAULT],
    [{ tools: ['read_note', 'write_note'], disableTools: ['write_note'] }, ['read_note']],
    [{ tools: ['read_note', 'write_note'], readOnly: true }, ['read_note']],
    [{ readOnly: true, disableTools: ['read_note'] }, ['list_notes']],
  ])('are chosen by the options: %j', (choice, names) => {
    expect(offered({ readOnly: false, ...choice })).toEqual(names);
  });

  it('are without those that the server object does not offer, even where they are named', () => {
    const server = Object.assign(new Notes(), { offers: ({ name }: { readonly name: string }) => name !== 'write_note' });
    expect(offered({ readOnly: false }, server)).toEqual(DEFAULT.filter((name) => name !== 'write_note'));
    expect(offered({ readOnly: false, tools: ['write_note'] }, server)).toEqual([]);
  });

  it.each<readonly [object, string]>([
    [{ tools: ['read_nota'] }, 'there is no tool "read_nota"; did you mean "read_note"?'],
    [{ tools: ['chnage'] }, 'there is no tool "chnage"; did you mean "change"?'],
    [{ disableTools: ['writeNote'] }, 'there is no tool "writeNote"; did you mean "write_note"?'],
    [{ tools: ['read_note'], disableTools: ['x'] }, 'there is no tool "x"'],
    [{ tools: [''] }, 'there is no tool ""'],
    [{ tools: ['toString'] }, 'there is no tool "toString"'],
  ])('are not chosen by a name that no tool and no set has: %j', (choice, message) => {
    expect(() => offered({ readOnly: false, ...choice })).toThrow(new UsageError(message));
  });

  it.each<readonly [object, readonly string[]]>([
    [{}, [...DEFAULT, 'weekly', 'purge']],
    [{ tools: ['all'], disableTools: ['default'] }, ['delete_note', 'list_changes', 'audit']],
    [{ tools: ['weekly', 'extra'] }, ['weekly', 'audit']],
    [{ disableTools: ['purge', 'read_note', 'not_there_yet'] }, ['list_notes', 'write_note', 'touch_note', 'weekly']],
    [{ readOnly: true }, ['read_note', 'list_notes', 'weekly']],
  ])('are those that come and go too: %j', (choice, names) => {
    expect(offered({ readOnly: false, ...choice }, new LivelyNotes())).toEqual(names);
  });

  it('are not chosen by a misspelt name where tools come and go', () => {
    const message = 'there is no tool "read_nota"; did you mean "read_note"?';
    expect(() => offered({ readOnly: false, tools: ['read_nota'] }, new LivelyNotes())).toThrow(new UsageError(message));
  });
});

function offered(choice: Parameters<typeof offersOf>[1], server: object = new Notes()): readonly string[] {
  const compiled = compileServer(server);
  const offers = offersOf({ server, compiled }, choice);
  return [...toolsOf(server, compiled).values()].filter(offers).map(({ definition }) => definition.name);
}
