import { McpServer, Resource, Tool } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import { createServerInstance } from '../../src/server/server-instance.ts';
import { Log } from '../../src/process/log.ts';
import { ServerOptions } from '../../src/options/server-options.ts';

@McpServer({ name: 'plain', version: '2.0.0' })
class Plain {
  @Tool({ description: 'Return the time' })
  now(): string {
    return '';
  }
}

const SOURCES = { visible: {}, log: new Log({ level: 'off', format: 'text', write: () => undefined }) };

function servingWith(options: Partial<ServerOptions>): object {
  return createServerInstance(new Plain(), Object.assign(new ServerOptions(), options), SOURCES).factoryOptions;
}

describe('a server instance', () => {
  it('has the given time limit, and no time limit by default', () => {
    expect(servingWith({ timeout: 30_000 })).toMatchObject({ timeoutMs: 30_000 });
    expect(servingWith({})).not.toHaveProperty('timeoutMs');
  });
});

describe('the features of a server instance', () => {
  it('include the server information', () => {
    const { compiled, factoryOptions, information } = createServerInstance(new Plain(), new ServerOptions(), SOURCES);
    expect([...compiled.resources.keys()]).toEqual(['server://info']);
    expect(factoryOptions).toMatchObject({ features: [information], observer: information.statistics.observe });
  });

  it('do not allow another resource with the URI of the server information', () => {
    class Own extends Plain {
      @Resource({ uri: 'server://info' })
      mine(): string {
        return '';
      }
    }
    expect(() => createServerInstance(new Own(), new ServerOptions(), SOURCES)).toThrow(
      'ServerInformation.info: the resource "server://info" is already defined by Own.mine; change one of the two',
    );
  });
});
