import { describe, expect, it } from 'vitest';

import {
  McpServer,
  Resource,
  Tool,
  compileServer,
  type McpServerOptions,
  type ResourceOptions,
  type ToolOptions,
} from '../../src/index.ts';
import { readProblems } from './read-problems.ts';

const NAMED = { name: 'notes', version: '1.0.0' };

/** Options without type checking, as a JavaScript caller may write them. */
type Unchecked = Readonly<Record<string, unknown>>;

function toolProblems(options: Unchecked): readonly string[] {
  @McpServer(NAMED)
  class Notes {
    @Tool({ description: 'Read a note', ...(options as ToolOptions<never, never>) }) read(): void {}
  }
  return readProblems(Notes);
}

function resourceProblems(options: Unchecked): readonly string[] {
  @McpServer(NAMED)
  class Notes {
    @Resource({ uri: 'notes://index', ...(options as ResourceOptions<never>) }) index(): void {}
  }
  return readProblems(Notes);
}

function serverProblems(options: Unchecked): readonly string[] {
  @McpServer({ ...NAMED, ...(options as McpServerOptions) })
  class Notes {
    @Tool({ description: 'Read a note' }) read(): void {}
  }
  return readProblems(Notes);
}

const WHOLE = 'an integer of at least 1';
const MS = 'timeoutMs must be an integer from 1 to 2147483647';

describe('an invalid option of a tool', () => {
  it.each<[Unchecked, string]>([
    [{ timeoutMs: 0 }, MS],
    [{ timeoutMs: -1 }, MS],
    [{ timeoutMs: 1.5 }, MS],
    [{ timeoutMs: Number.NaN }, MS],
    [{ timeoutMs: '1000' }, MS],
    [{ timeoutMs: 2 ** 31 }, MS],
    [{ maxConcurrent: 0 }, `maxConcurrent must be ${WHOLE}`],
    [{ maxConcurrent: Number.POSITIVE_INFINITY }, `maxConcurrent must be ${WHOLE}`],
    [{ rateLimit: 10 }, 'rateLimit must be an object'],
    [{ rateLimit: { calls: 10 } }, 'rateLimit.perSeconds is missing'],
    [{ rateLimit: { calls: 0, perSeconds: 1 } }, `rateLimit.calls must be ${WHOLE}`],
    [{ rateLimit: { calls: 1, perSeconds: 0.5 } }, `rateLimit.perSeconds must be ${WHOLE}`],
    [{ annotations: { readOnlyHint: 'yes' } }, 'annotations.readOnlyHint must be true or false'],
    [{ annotations: null }, 'annotations must be an object'],
    [{ _meta: ['a'] }, '_meta must be a JSON object'],
    [{ _meta: { 'com.example/at': new Date(0) } }, '_meta must be a JSON object'],
    [{ _meta: circular() }, '_meta must be a JSON object'],
    ...['a b', '-a', 'a-', '/a', 'com.example/a/b', '1a.b/c', 'a-/b', 'a..b/c', 'com.example./a', 'ä'].map(
      (key): [Unchecked, string] => [{ _meta: { [key]: 1 } }, `_meta: "${key}" is not a valid key such as com.example/name`],
    ),
    ...['progressToken', 'traceparent', 'io.modelcontextprotocol/serverInfo'].map((key): [Unchecked, string] => [
      { _meta: { [key]: 1 } },
      `_meta: "${key}" is a key of the protocol itself`,
    ]),
    ...['dev.mcp/a', 'org.modelcontextprotocol.api/a', 'com.mcp.tools/a'].map((key): [Unchecked, string] => [
      { _meta: { [key]: 1 } },
      `_meta: "${key}" has a prefix that the protocol reserves`,
    ]),
    [{ icons: {} }, 'icons must be an array'],
    [{ icons: [{ mimeType: 'image/png' }] }, 'icons.0.src is missing'],
    [{ icons: [{ src: 'icon.png' }] }, 'icons.0.src must be an https: or data: URI'],
    [{ icons: [{ src: 'javascript:alert(1)' }] }, 'icons.0.src must be an https: or data: URI'],
    [{ icons: [{ src: 'data:,', sizes: ['big'] }] }, 'icons.0.sizes.0 must be a size such as 48x48, or "any"'],
    [{ icons: [{ src: 'data:,', theme: 'blue' }] }, 'icons.0.theme must be light or dark'],
    [{ title: 7 }, 'title must be a string'],
    [{ input: 'NotePath' }, 'input must be a class or a Standard Schema'],
    [{ input: String }, 'input must be a class or a Standard Schema'],
    [{ output: Array }, 'output must be a class or a Standard Schema'],
    [{ output: () => undefined }, 'output must be a class or a Standard Schema'],
    [{ inputSchema: { type: 'string' } }, 'inputSchema must be a JSON Schema of type "object"'],
    [{ inputSchema: { type: 'object', default: 1n } }, 'inputSchema must be a JSON Schema of type "object"'],
    [{ inputSchema: circular() }, 'inputSchema must be a JSON Schema of type "object"'],
    [{ scopes: 'read' }, 'scopes must be an array'],
    [{ sets: 'write' }, 'sets must be an array'],
    ...['', 'all', 'Write', 'a,b', '-a', 7].map((set): [Unchecked, string] => [
      { sets: ['default', set] },
      'sets.1 must be the name of a set: lower-case letters, digits, - and _, other than "all"',
    ]),
    ...['', 'read write', 'read\n', 'r"ead', 'r\\ead', 'lésen', 7, null].map((scope): [Unchecked, string] => [
      { scopes: ['read', scope] },
      'scopes.1 must be an OAuth scope: printable ASCII without spaces, double quotes and backslashes',
    ]),
  ])('is a definition error: %o', (options, problem) => {
    expect(toolProblems(options)).toEqual([`Notes.read: ${problem}`]);
  });

  it.each(['a', '', 'ui', 'a.b_c-d', 'com.example/', 'anthropic/searchHint', 'com.example.mcp/a', 'io.modelcontextprotocol/ui'])(
    'does not include the key "%s" of _meta',
    (key) => {
      expect(toolProblems({ _meta: { [key]: null } })).toEqual([]);
    },
  );

  it('does not include undefined options and options of a newer copy of this package', () => {
    expect(toolProblems({ timeoutMs: undefined, annotations: { newerHint: 'yes' }, newer: 1 })).toEqual([]);
  });
});

describe('an invalid option of a resource', () => {
  it.each<[Unchecked, string]>([
    [{ annotations: { audience: 'user' } }, 'annotations.audience must be an array'],
    [{ annotations: { audience: ['everyone'] } }, 'annotations.audience.0 must be user or assistant'],
    [{ annotations: { priority: 1.1 } }, 'annotations.priority must be a number from 0 to 1'],
    [{ annotations: { priority: Number.NaN } }, 'annotations.priority must be a number from 0 to 1'],
    ...['yesterday', '2026-07-28', '2026-13-28T12:00:00Z', '2026-02-30T12:00:00Z', '2026-07-28T12:00:00', 0].map(
      (lastModified): [Unchecked, string] => [
        { annotations: { lastModified } },
        'annotations.lastModified must be a date and time such as 2026-07-28T12:00:00Z',
      ],
    ),
    [{ cache: { ttlMs: -1 } }, 'cache.ttlMs must be an integer of at least 0'],
    [{ cache: { cacheScope: 'shared' } }, 'cache.cacheScope must be public or private'],
    [{ cache: 1000 }, 'cache must be an object'],
    [{ name: '' }, 'name must be a non-empty string'],
    [{ mimeType: 1 }, 'mimeType must be a string'],
    [{ _meta: { 'a b': 1 } }, '_meta: "a b" is not a valid key such as com.example/name'],
  ])('is a definition error: %o', (options, problem) => {
    expect(resourceProblems(options)).toEqual([`Notes.index: ${problem}`]);
  });
});

describe('an invalid option of a server', () => {
  it.each<[Unchecked, string]>([
    [{ cache: { ttlMs: 1.5 } }, 'cache.ttlMs must be an integer of at least 0'],
    [{ pageSize: 0 }, `pageSize must be ${WHOLE}`],
    [{ websiteUrl: 'example.org' }, 'websiteUrl must be a URL'],
    [{ icons: [{ src: 'http://example.org/icon.png' }] }, 'icons.0.src must be an https: or data: URI'],
    [{ name: '' }, 'name must be a non-empty string'],
    [{ version: 1 }, 'version must be a string'],
    [{ _meta: { 'a b': 1 } }, '_meta: "a b" is not a valid key such as com.example/name'],
    [{ extensions: 'reports' }, 'extensions must be an object'],
    [{ extensions: { 'com.example/reports': true } }, 'extensions.com.example/reports must be a JSON object'],
    [{ extensions: { reports: {} } }, 'extensions: "reports" has no prefix such as com.example/'],
    [{ extensions: { 'dev.mcp/reports': {} } }, 'extensions: "dev.mcp/reports" has a prefix that the protocol reserves'],
    [{ experimental: { push: [] } }, 'experimental.push must be a JSON object'],
  ])('is a definition error: %o', (options, problem) => {
    expect(serverProblems(options)).toEqual([`Notes: ${problem}`]);
  });
});

describe('a tool that is read-only and destructive', () => {
  const PROBLEM =
    'has readOnlyHint: true and destructiveHint: true, but a read-only tool destroys nothing; remove one of the two hints';

  @McpServer(NAMED)
  class Notes {
    @Tool({ description: 'Delete a note', annotations: { destructiveHint: true } }) delete(): void {}
  }
  class Below extends Notes {
    @Tool({ annotations: { readOnlyHint: true } }) override delete(): void {}
  }
  @McpServer({ tools: { delete: { annotations: { readOnlyHint: true } } } })
  class ByTable extends Notes {}
  @McpServer({ tools: { delete: { annotations: { readOnlyHint: true, destructiveHint: false } } } })
  class Replaced extends Notes {}

  it('is a definition error, also if the hints come from several classes', () => {
    expect(toolProblems({ annotations: { readOnlyHint: true, destructiveHint: true } })).toEqual([`Notes.read: ${PROBLEM}`]);
    expect([Below, ByTable].map(readProblems)).toEqual([[`Below.delete: ${PROBLEM}`], [`Notes.delete: ${PROBLEM}`]]);
    expect(toolProblems({ annotations: { readOnlyHint: true, destructiveHint: false } })).toEqual([]);
    expect(readProblems(Replaced)).toEqual([]);
  });
});

describe('valid options', () => {
  const annotations = { audience: ['user' as const], priority: 0, lastModified: '2026-07-28T12:00:00.5+02:00' };
  const limits = { timeoutMs: 2_147_483_647, maxConcurrent: 1, rateLimit: { calls: 1, perSeconds: 60 } };

  @McpServer({ ...NAMED, cache: { ttlMs: 1000, cacheScope: 'public' }, pageSize: 20 })
  class Notes {
    @Tool({ description: 'Read a note', ...limits }) read(): void {}
    @Tool({ description: 'List the notes' }) list(): void {}
    @Resource({ uri: 'notes://index', annotations, cache: { ttlMs: 0 } }) index(): void {}
  }
  @McpServer({ cache: { ttlMs: 5 } })
  class Fresh extends Notes {
    @Tool({ timeoutMs: 1 }) override read(): void {}
    @Resource({ annotations: { priority: 1 }, cache: { cacheScope: 'public' } }) override index(): void {}
  }

  it('are compiled with the server, its tools and its resources', () => {
    const { cache, pageSize, tools, resources } = compileServer(Notes);
    expect({ cache, pageSize }).toEqual({ cache: { ttlMs: 1000, cacheScope: 'public' }, pageSize: 20 });
    expect([...tools.values()].map((tool) => tool.limits)).toEqual([limits, {}]);
    expect(resources.get('notes://index')).toMatchObject({ cache: { ttlMs: 0 }, definition: { annotations } });
  });

  it('are merged if a subclass gives some of them', () => {
    const { cache, pageSize, tools, resources } = compileServer(Fresh);
    expect({ cache, pageSize }).toEqual({ cache: { ttlMs: 5, cacheScope: 'public' }, pageSize: 20 });
    expect(tools.get('read')?.limits).toEqual({ ...limits, timeoutMs: 1 });
    expect(resources.get('notes://index')).toMatchObject({
      cache: { ttlMs: 0, cacheScope: 'public' },
      definition: { annotations: { ...annotations, priority: 1 } },
    });
  });
});

function circular(): Unchecked {
  const schema: Record<string, unknown> = { type: 'object' };
  schema['properties'] = schema;
  return schema;
}
