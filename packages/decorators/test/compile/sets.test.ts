import { describe, expect, it } from 'vitest';

import { McpServer, Tool, compileServer, type Constructor } from '../../src/index.ts';

const NAMED = { name: 'notes', version: '1.0.0' };

@McpServer(NAMED)
class Notes {
  @Tool({ description: 'Read a note' }) read(): void {}
  @Tool({ description: 'Write a note', sets: ['default', 'change', 'default'] }) write(): void {}
  @Tool({ description: 'Share a note', sets: ['sharing'] }) share(): void {}
  @Tool({ description: 'Count the calls', sets: [] }) count(): void {}
}

function setsOf(target: Constructor): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries([...compileServer(target).tools].map(([name, { sets }]) => [name, sets]));
}

describe('the sets of a tool', () => {
  it('are the listed ones without duplicates; by default the set default', () => {
    expect(setsOf(Notes)).toEqual({ read: ['default'], write: ['default', 'change'], share: ['sharing'], count: [] });
  });

  it('are inherited, and replaced by an override or a table', () => {
    @McpServer({ tools: { share: { sets: ['default'] } } })
    class Stricter extends Notes {
      override write(): void {}
      @Tool({ sets: ['change'] }) override read(): void {}
    }
    expect(setsOf(Stricter)).toEqual({ read: ['change'], write: ['default', 'change'], share: ['default'], count: [] });
  });

  it('must not have the name of a tool', () => {
    @McpServer(NAMED)
    class Confusing {
      @Tool({ description: 'Read a note' }) read(): void {}
      @Tool({ description: 'List the notes', sets: ['read'] }) list(): void {}
    }
    expect(() => compileServer(Confusing)).toThrow('Confusing.list: the set "read" has the name of a tool');
  });
});
