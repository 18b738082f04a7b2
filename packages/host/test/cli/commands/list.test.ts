import { Feature, Field, McpServer, Prompt, Resource, Tool } from '@org/mcp-decorators';
import { IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { list } from '../../../src/cli/commands/list.ts';
import { manifest } from '../../../src/cli/commands/manifest.ts';
import type { ServerOptions } from '../../../src/options/server-options.ts';
import { runCommand } from './run-command.ts';

class NoteInput {
  @Field('Name of the note')
  @IsString()
  name!: string;
}

class NoteFacts {
  @Field('Bytes of the note')
  @IsString()
  size!: string;
}

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  @Tool({ description: 'Read a note', annotations: { readOnlyHint: true } })
  read(_: NoteInput): string {
    return '';
  }

  @Tool({ description: 'Write a note', output: NoteFacts })
  writeNote(_: NoteInput): NoteFacts {
    return new NoteFacts();
  }

  @Resource({ uri: 'notes://all', description: 'All notes' })
  all(): string {
    return '';
  }

  @Resource({ uriTemplate: 'notes://{name}' })
  note(_: NoteInput): string {
    return '';
  }

  @Prompt({ description: 'Sum up a note' })
  sumUp(_: NoteInput): string {
    return '';
  }
}

@McpServer({ name: 'clock', version: '1.0.0' })
class Clock {
  @Tool({ description: 'Return the time' })
  now(): string {
    return '';
  }
}

/** Description of `server://info`, a resource that the host adds to the server of a process. */
const INFO = 'Health of this server: problems, options and limits, counts of calls and errors';

describe('the list', () => {
  it('has the tools, resources and prompts with their descriptions', async () => {
    const { code, printed } = await runCommand(list, Notes);
    expect(code).toBe(0);
    expect(printed).toBe(
      [
        'Tools\n  read        Read a note\n  write_note  Write a note',
        `Resources\n  notes://all     All notes\n  server://info   ${INFO}\n  notes://{name}`,
        'Prompts\n  sum_up  Sum up a note',
      ].join('\n\n'),
    );
  });

  it('has no empty sections', async () => {
    expect(await runCommand(list, Clock)).toEqual({
      code: 0,
      printed: `Tools\n  now  Return the time\n\nResources\n  server://info  ${INFO}`,
    });
  });

  it('contains only the offered tools', async () => {
    const { printed } = await runCommand(list, Notes, { readOnly: true });
    expect(printed).toMatch(/^Tools\n {2}read {2}Read a note\n\nResources\n/);
    expect((await runCommand(list, Clock, { disableTools: ['now'] })).printed).toBe(`Resources\n  server://info  ${INFO}`);
  });
});

describe('the list of a server with tool sets', () => {
  @McpServer({ name: 'desk', version: '1.0.0' })
  class Desk extends Clock {
    @Tool({ description: 'Set the time', sets: ['change'] })
    set(): string {
      return '';
    }
  }

  it('shows the tools in each set', async () => {
    const { printed } = await runCommand(list, Desk);
    expect(printed).toContain('Tools\n  now  Return the time\n\nTool sets\n  default  now\n  change   set\n\n');
    expect((await runCommand(list, Desk, { tools: ['all'] })).printed).toContain('  set  Set the time\n');
  });
});

describe('the list and the manifest', () => {
  class Search {
    @Tool({ description: 'Find a note' })
    find(): string {
      return '';
    }
  }

  class Searching extends Clock {
    @Feature({ type: () => Search })
    readonly search: object;

    constructor({ readOnly }: ServerOptions) {
      super();
      this.search = readOnly ? new Notes() : new Search();
    }
  }

  it('contain the members of the server object with these options', async () => {
    expect((await runCommand(list, Searching)).printed).toContain('find  Find a note');
    const { printed } = await runCommand(manifest, Searching, { readOnly: true });
    expect(JSON.parse(printed)).toMatchObject({ tools: [{ name: 'read' }] });
  });

  it('accept the names of tools that only the object has', async () => {
    const { printed } = await runCommand(list, Searching, { readOnly: true, tools: ['read'] });
    expect(printed).toContain('read  Read a note');
  });
});

describe('the manifest', () => {
  it('is the JSON of tools/list', async () => {
    const { code, printed } = await runCommand(manifest, Notes);
    const input = {
      type: 'object',
      properties: { name: { type: 'string', description: 'Name of the note' } },
      required: ['name'],
    };
    expect(code).toBe(0);
    expect(JSON.parse(printed)).toMatchObject({
      tools: [
        { name: 'read', description: 'Read a note', annotations: { readOnlyHint: true }, inputSchema: input },
        { name: 'write_note', description: 'Write a note', inputSchema: input, outputSchema: { type: 'object' } },
      ],
    });
  });

  it('contains only the offered tools', async () => {
    const { printed } = await runCommand(manifest, Notes, { tools: ['write_note'] });
    expect(JSON.parse(printed)).toMatchObject({ tools: [{ name: 'write_note' }] });
    expect((await runCommand(manifest, Notes, { structured: 'never' })).printed).not.toContain('outputSchema');
    expect((await runCommand(manifest, Notes, { tools: [] })).printed).toBe('{\n  "tools": []\n}');
  });
});
