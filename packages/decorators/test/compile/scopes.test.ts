import { describe, expect, it } from 'vitest';

import { Feature, McpServer, Tool, compileServer, isScope, type Constructor } from '../../src/index.ts';

const READ_ONLY = { annotations: { readOnlyHint: true } };
const NAMED = { name: 'notes', version: '1.0.0' };

@McpServer(NAMED)
class Notes {
  @Tool({ description: 'Read a note', ...READ_ONLY }) read(): void {}
  @Tool({ description: 'Write a note' }) write(): void {}
  @Tool({ description: 'Share a note', annotations: { readOnlyHint: false } }) share(): void {}
  @Tool({ description: 'Read a diary', ...READ_ONLY, scopes: ['diary:read', 'read', 'diary:read'] }) diary(): void {}
  @Tool({ description: 'Show the time', scopes: [] }) time(): void {}
}

function scopesOf(target: Constructor): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries([...compileServer(target).tools].map(([name, { scopes }]) => [name, scopes]));
}

describe('the scopes of a tool', () => {
  it('are the listed ones without duplicates; by default read for read-only tools and write for others', () => {
    expect(scopesOf(Notes)).toEqual({
      read: ['read'],
      write: ['write'],
      share: ['write'],
      diary: ['diary:read', 'read'],
      time: [],
    });
  });

  it('are not part of its definition, and are immutable', () => {
    const { definition, scopes } = compileServer(Notes).tools.get('diary') ?? {};
    expect(JSON.stringify(definition)).not.toContain('scope');
    expect(Object.isFrozen(scopes)).toBe(true);
  });

  it('are inherited, and replaced as a whole by an override', () => {
    class Stricter extends Notes {
      override read(): void {}
      @Tool({ scopes: ['notes:write'] }) override write(): void {}
      @Tool({ title: 'Diary' }) override diary(): void {}
    }
    expect(scopesOf(Stricter)).toMatchObject({ read: ['read'], write: ['notes:write'], diary: ['diary:read', 'read'] });
    expect(scopesOf(Notes)).toMatchObject({ write: ['write'] });
  });

  it('follow an overridden readOnlyHint unless they are given', () => {
    class Harmless extends Notes {
      @Tool(READ_ONLY) override write(): void {}
    }
    expect(scopesOf(Harmless)).toMatchObject({ write: ['read'] });
  });

  it('are changed by a table of the server', () => {
    @McpServer({ tools: { read: { scopes: ['notes:read', 'read'] }, share: { annotations: { readOnlyHint: true } } } })
    class Sub extends Notes {}
    expect(scopesOf(Sub)).toMatchObject({ read: ['notes:read', 'read'], share: ['read'] });
  });

  it('are kept for the tools of a feature', () => {
    @McpServer(NAMED)
    class Desk {
      @Feature({ type: () => Notes }) readonly notes = new Notes();
    }
    expect(scopesOf(Desk)).toEqual(scopesOf(Notes));
  });
});

describe('a scope', () => {
  it.each(['read', 'files:write', 'https://example.org/read', '!', '~', '#', '[', ']'])('accepts %s', (scope) => {
    expect(isScope(scope)).toBe(true);
  });
});
