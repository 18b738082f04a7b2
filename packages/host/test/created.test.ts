import { McpServer, Resource, Tool } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import { createServer } from '../src/created.ts';
import { Log } from '../src/log.ts';
import { ServerOptions } from '../src/server-options.ts';

@McpServer({ name: 'plain', version: '2.0.0' })
class Plain {
  @Tool({ description: 'Tell the time' })
  now(): string {
    return '';
  }
}

const SOURCES = { settings: {}, log: new Log({ level: 'off', format: 'text', write: () => undefined }) };

function servingWith(options: Partial<ServerOptions>): object {
  return createServer(Plain, Object.assign(new ServerOptions(), options), SOURCES).serving;
}

describe('how a process serves', () => {
  it('has the time limit that was given, and none by default', () => {
    expect(servingWith({ timeout: '30s' })).toMatchObject({ timeoutMs: 30_000 });
    expect(servingWith({})).not.toHaveProperty('timeoutMs');
  });
});

describe('what a process serves', () => {
  it('has the information on the server besides its own members', () => {
    const { compiled, serving, information } = createServer(Plain, new ServerOptions(), SOURCES);
    expect([...compiled.resources.keys()]).toEqual(['server://info']);
    expect(serving).toMatchObject({ features: [information], observer: information.statistics.observe });
  });

  it('cannot have another resource of that URI', () => {
    class Own extends Plain {
      @Resource({ uri: 'server://info' })
      mine(): string {
        return '';
      }
    }
    expect(() => createServer(Own, new ServerOptions(), SOURCES)).toThrow(
      'ServerInformation.info: the resource "server://info" is already defined by Own.mine',
    );
  });
});
