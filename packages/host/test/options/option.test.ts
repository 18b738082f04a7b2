import { DefinitionError, Field } from '@org/mcp-decorators';
import { IsBoolean } from 'class-validator';
import { describe, expect, it } from 'vitest';

import { describeOptions, toVariable } from '../../src/options/option.ts';
import { ServerOptions } from '../../src/options/server-options.ts';
import { EXAMPLE, ExampleOptions } from './example-options.ts';

describe('an option', () => {
  it.each([
    ['readOnly', 'read-only', 'MCP_EXAMPLE_READ_ONLY', 'boolean'],
    ['disableTools', 'disable-tools', 'MCP_EXAMPLE_DISABLE_TOOLS', 'list'],
    ['logLevel', 'log-level', 'MCP_EXAMPLE_LOG_LEVEL', 'value'],
    ['directories', 'directories', 'MCP_EXAMPLE_DIRECTORIES', 'list'],
    ['maxEntries', 'max-entries', 'MCP_EXAMPLE_MAX_ENTRIES', 'value'],
    ['traceRatio', 'trace-ratio', 'MCP_EXAMPLE_TRACE_RATIO', 'value'],
    ['cache', 'cache', 'MCP_EXAMPLE_CACHE', 'boolean'],
  ])('is named after its property: %s', (property, flag, variable, kind) => {
    expect(EXAMPLE.find((option) => option.property === property)).toMatchObject({ property, flag, variable, kind });
  });

  it('exists for every annotated property, including inherited ones', () => {
    const properties = EXAMPLE.map(({ property }) => property);
    const inherited = describeOptions(ServerOptions, 'mcp-example').map(({ property }) => property);
    expect([...properties].sort()).toEqual([...inherited, 'directories', 'maxEntries', 'traceRatio', 'cache', 'deny'].sort());
  });

  it('has the limits and the default of its property', () => {
    const option = EXAMPLE.find(({ property }) => property === 'maxEntries');
    expect(option?.schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 5000, default: 2000, title: 'N' });
  });

  it('needs a type', () => {
    class Untyped extends ExampleOptions {
      @Field('No rule says what it is')
      anything: unknown;
    }
    expect(() => describeOptions(Untyped, 'mcp-example')).toThrow(DefinitionError);
    expect(() => describeOptions(Untyped, 'mcp-example')).toThrow('Untyped.anything: has no type');
  });

  it('must not have the name of a flag of the host', () => {
    class Taken extends ServerOptions {
      @Field('Which')
      @IsBoolean()
      version = false;
    }
    expect(() => describeOptions(Taken, 'mcp-example')).toThrow(
      'Taken.version: --version is reserved for the command line of every server; choose another name',
    );
  });
});

describe('the name of an environment variable', () => {
  it.each([
    ['mcp-fs', 'log-level', 'MCP_FS_LOG_LEVEL'],
    ['notes', 'tools', 'NOTES_TOOLS'],
    ['@acme/mcp.files', 'max-read-bytes', '_ACME_MCP_FILES_MAX_READ_BYTES'],
    ['my server', 'cache', 'MY_SERVER_CACHE'],
  ])('is built from %s and %s', (server, flag, variable) => {
    expect(toVariable(server, flag)).toBe(variable);
  });
});
