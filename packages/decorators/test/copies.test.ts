import { IsString } from 'class-validator';
import { describe, expect, it, vi } from 'vitest';

import * as first from '../src/index.ts';

vi.resetModules();
const second = await import('../src/index.ts');

class NotePath {
  @first.Field('Path of the note') @IsString() path!: string;
}

@first.McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  @first.Tool({ description: 'Read a note' }) read(_input: NotePath): string {
    return '';
  }
  @first.Tool({ description: 'List the notes' }) list(_context: first.RequestContext): string {
    return '';
  }
}

@second.McpServer({ name: 'acme-notes' })
class AcmeNotes extends Notes {
  @second.Tool({ annotations: { readOnlyHint: true } }) override read(_input: NotePath): string {
    return '';
  }
}

describe('two copies of the package', () => {
  it('are two', () => {
    expect(second.Tool).not.toBe(first.Tool);
    expect(second.RequestContext).not.toBe(first.RequestContext);
  });

  it('read annotations of each other', () => {
    const compiled = [first, second].map(({ compileServer }) => compileServer(AcmeNotes));
    for (const { info, tools } of compiled) {
      expect(info).toEqual({ name: 'acme-notes', version: '1.0.0' });
      expect([...tools.keys()]).toEqual(['read', 'list']);
      expect(tools.get('read')?.definition).toMatchObject({
        description: 'Read a note',
        annotations: { readOnlyHint: true },
        inputSchema: { properties: { path: { type: 'string', description: 'Path of the note' } } },
      });
      expect(tools.get('list')?.definition.inputSchema.properties).toEqual({});
    }
  });
});
