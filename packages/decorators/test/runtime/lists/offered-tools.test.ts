import { describe, expect, it } from 'vitest';

import {
  compileServer,
  McpServer,
  OfferedTools,
  Tool,
  type ListedTool,
  type ToolLister,
  type ToolSelection,
} from '../../../src/index.ts';

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

describe('the offered tools', () => {
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
  ])('are those that the operator selected: %j', (choice, names) => {
    expect(offered({ readOnly: false, ...choice })).toEqual(names);
  });

  it('exclude tools that the server object does not offer, even if the operator names them', () => {
    const server = Object.assign(new Notes(), { offers: ({ name }: { readonly name: string }) => name !== 'write_note' });
    expect(offered({ readOnly: false }, server)).toEqual(DEFAULT.filter((name) => name !== 'write_note'));
    expect(offered({ readOnly: false, tools: ['write_note'] }, server)).toEqual([]);
  });

  it.each<readonly [object, string]>([
    [{ tools: ['read_nota'] }, 'unknown tool "read_nota"; did you mean "read_note"?'],
    [{ tools: ['chnage'] }, 'unknown tool "chnage"; did you mean "change"?'],
    [{ disableTools: ['writeNote'] }, 'unknown tool "writeNote"; did you mean "write_note"?'],
    [{ tools: ['read_note'], disableTools: ['x'] }, 'unknown tool "x"'],
    [{ tools: [''] }, 'unknown tool ""'],
    [{ tools: ['toString'] }, 'unknown tool "toString"'],
  ])('cannot be selected by a name that is neither a tool nor a set: %j', (choice, message) => {
    expect(() => offered({ readOnly: false, ...choice })).toThrow(new RangeError(message));
  });

  it.each<readonly [object, readonly string[]]>([
    [{}, [...DEFAULT, 'weekly', 'purge']],
    [{ tools: ['all'], disableTools: ['default'] }, ['delete_note', 'list_changes', 'audit']],
    [{ tools: ['weekly', 'extra'] }, ['weekly', 'audit']],
    [{ disableTools: ['purge', 'read_note', 'not_there_yet'] }, ['list_notes', 'write_note', 'touch_note', 'weekly']],
    [{ readOnly: true }, ['read_note', 'list_notes', 'weekly']],
  ])('can be selected by the names of tools that may be added later: %j', (choice, names) => {
    expect(offered({ readOnly: false, ...choice }, new LivelyNotes())).toEqual(names);
  });

  it('cannot be selected by a misspelt name, even if tools may be added later', () => {
    const message = 'unknown tool "read_nota"; did you mean "read_note"?';
    expect(() => offered({ readOnly: false, tools: ['read_nota'] }, new LivelyNotes())).toThrow(new RangeError(message));
  });
});

function offered(selection: ToolSelection, server: object = new Notes()): readonly string[] {
  const tools = new OfferedTools({ server, compiled: compileServer(server) }, selection);
  return tools.list().map(({ definition }) => definition.name);
}
