import { IsString } from 'class-validator';
import { describe, expect, it } from 'vitest';

import {
  collectScopes,
  Complete,
  compileServer,
  findMissingScopes,
  McpServer,
  OfferedTools,
  Prompt,
  Resource,
  Tool,
  type ListedTool,
  type ScopedServer,
} from '../../../src/index.ts';

class Named {
  @IsString() name!: string;
}

@McpServer({ name: 'notes', version: '1.0.0' })
class Notes {
  @Tool({ description: 'Read a note', annotations: { readOnlyHint: true } }) read(): void {}
  @Tool({ description: 'Write a note' }) write(): void {}
  @Tool({ description: 'Share a note', scopes: ['notes:share', 'write'] }) share(): void {}
  @Tool({ description: 'Return the time', scopes: [] }) time(): void {}
  @Tool({ description: 'Burn all notes', scopes: ['fire'] }) burn(): void {}
  @Resource({ uri: 'notes://index' }) index(): string {
    return '';
  }
  @Prompt({ description: 'Review a note' }) review(_args: Named): string {
    return '';
  }
  @Complete({ prompt: 'review', argument: 'name' }) names(): readonly string[] {
    return [];
  }
}

function serve(server: object, disableTools: readonly string[] = []): ScopedServer {
  const compiled = compileServer(server);
  return { compiled, tools: new OfferedTools({ server, compiled }, { disableTools }) };
}

const SERVED = serve(new Notes(), ['burn']);

describe('a call of a tool that was added at run time', () => {
  it('needs the scopes of the listed tool', () => {
    const tool = { description: 'Weekly', inputSchema: { type: 'object' } } as const;
    const server = Object.assign(new Notes(), {
      listTools: (): readonly ListedTool[] => [
        { definition: { ...tool, name: 'weekly', annotations: { readOnlyHint: true } }, call: () => '' },
        { definition: { ...tool, name: 'secret' }, scopes: ['vault'], call: () => '' },
      ],
    });
    const served = serve(server);
    const needed = (name: string): unknown => findMissingScopes(served, { method: 'tools/call', params: { name } }, tokenWith());
    expect([needed('weekly'), needed('secret')]).toEqual([['read'], ['vault']]);
    expect(collectScopes(served)).toContain('vault');
  });
});

describe('the check of the scopes of a message', () => {
  it.each<[method: string, params: unknown, needed: readonly string[]]>([
    ['tools/call', { name: 'read' }, ['read']],
    ['tools/call', { name: 'write' }, ['write']],
    ['tools/call', { name: 'share' }, ['notes:share', 'write']],
    ['tools/call', { name: 'time' }, []],
    ['tools/call', { name: 'burn' }, []],
    ['tools/call', { name: 'unknown' }, []],
    ['tools/call', { name: 'constructor' }, []],
    ['tools/call', { name: ['write'] }, []],
    ['tools/call', undefined, []],
    ['resources/read', { uri: 'notes://index' }, ['read']],
    ['resources/read', undefined, ['read']],
    ['resources/subscribe', { uri: 'notes://index' }, ['read']],
    ['resources/unsubscribe', { uri: 'notes://index' }, []],
    ['prompts/get', { name: 'review' }, ['read']],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'review' } }, ['read']],
    ['subscriptions/listen', { notifications: { resourceSubscriptions: ['notes://index'] } }, ['read']],
    ['subscriptions/listen', { notifications: { resourceSubscriptions: 'notes://index' } }, ['read']],
    ['subscriptions/listen', { notifications: { resourceSubscriptions: { 0: 'notes://index' } } }, ['read']],
    ['subscriptions/listen', { notifications: { resourceSubscriptions: [] } }, []],
    ['subscriptions/listen', { notifications: { toolsListChanged: true } }, []],
    ['subscriptions/listen', {}, []],
    ['initialize', {}, []],
    ['server/discover', {}, []],
    ['ping', undefined, []],
    ['tools/list', {}, []],
    ['resources/list', {}, []],
    ['resources/templates/list', {}, []],
    ['prompts/list', {}, []],
    ['notifications/cancelled', { requestId: 1 }, []],
    ['toString', {}, []],
  ])('requires for %s with %j the scopes %j', (method, params, needed) => {
    const message = { jsonrpc: '2.0', id: 1, method, params };
    expect(findMissingScopes(SERVED, message, tokenWith())).toEqual(needed.length === 0 ? undefined : needed);
    expect(findMissingScopes(SERVED, message, tokenWith(...needed))).toBeUndefined();
  });

  it.each([
    null,
    undefined,
    'tools/call',
    [],
    [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'write' } }],
    { id: 1, result: {} },
  ])('requires no scope for a value that is not a request: %j', (message) => {
    expect(findMissingScopes(SERVED, message, tokenWith())).toBeUndefined();
  });

  it.each<[tool: string, scopes: readonly string[]]>([
    ['read', ['write']],
    ['read', ['READ']],
    ['write', ['read']],
    ['share', ['write']],
    ['share', ['notes:share']],
    ['share', ['notes', 'notes:share write']],
  ])('requires for the tool %s more scopes than %j', (name, scopes) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } };
    expect(findMissingScopes(SERVED, message, tokenWith(...scopes))).toEqual(SERVED.compiled.tools.get(name)?.scopes);
  });
});

describe('the scopes of a server', () => {
  it('include the scopes of the offered tools, and read for resources and prompts', () => {
    expect(collectScopes(SERVED)).toEqual(['notes:share', 'read', 'write']);
  });

  it('do not include read without resources and prompts', () => {
    @McpServer({ name: 'clock', version: '1.0.0' })
    class Clock {
      @Tool({ description: 'Set the clock' }) set(): void {}
    }
    expect(collectScopes(serve(new Clock()))).toEqual(['write']);
  });
});

function tokenWith(...scopes: string[]): { token: string; clientId: string; scopes: string[] } {
  return { token: 'secret', clientId: 'ada', scopes };
}
