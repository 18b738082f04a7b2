import { McpServer, Tool } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import { createServer } from '../src/created.ts';
import { ServerOptions } from '../src/server-options.ts';

@McpServer({ name: 'plain', version: '2.0.0' })
class Plain {
  @Tool({ description: 'Tell the time' })
  now(): string {
    return '';
  }
}

function servingWith(options: Partial<ServerOptions>): object {
  return createServer(Plain, Object.assign(new ServerOptions(), options)).serving;
}

describe('how a process serves', () => {
  it('has the time limit that was given, and none by default', () => {
    expect(servingWith({ timeout: '30s' })).toMatchObject({ timeoutMs: 30_000 });
    expect(servingWith({})).not.toHaveProperty('timeoutMs');
  });
});
