import { setTimeout as delay } from 'node:timers/promises';

import { McpServer, RequestContext, Resource, ToolError, Tool } from '@org/mcp-decorators';
import { serveHttp } from '@org/mcp-host';
import { IsInt, IsString } from 'class-validator';

import { heldFor, heldInAll } from './figures.mjs';

/**
 * The server object of the soak test. This script serves it over HTTP with a short idle time of sessions, and answers messages of
 * the parent process. The answer to `forClients` contains the numbers of objects kept for clients; the answer to `inAll` contains
 * all kept objects, memory use and warnings. The message `close` closes the service; afterwards, nothing may keep the process
 * alive.
 */
class SoakServer {
  /** Number of calls in progress. */
  running = 0;
  /** Number of watched resources. */
  watched = 0;

  quick({ text }) {
    return text;
  }

  big({ count }) {
    return 'x'.repeat(count * 1024);
  }

  async slowBig({ count }) {
    await delay(200);
    return 'x'.repeat(count * 1024);
  }

  fail() {
    throw new ToolError('BROKEN', 'it is meant to fail');
  }

  crash() {
    throw new Error('an unexpected failure');
  }

  /** Reports each step, 20 milliseconds apart. */
  async slow({ count }, context) {
    this.running += 1;
    try {
      for (let step = 1; step <= count; step += 1) {
        context.progress(step, count);
        await delay(20, undefined, { signal: context.signal });
      }
      return `${count} steps`;
    } finally {
      this.running -= 1;
    }
  }

  async ask(context) {
    this.running += 1;
    try {
      const { action } = await context.elicit('consent', 'Go on?', CONSENT);
      return action;
    } finally {
      this.running -= 1;
    }
  }

  change({ text }, context) {
    context.resourceUpdated(text);
    context.listChanged('resources');
    return 'changed';
  }

  note() {
    return 'a note';
  }

  async watch() {
    await delay(5);
    this.watched += 1;
    return {
      [Symbol.asyncDispose]: async () => {
        await delay(5);
        this.watched -= 1;
      },
    };
  }
}

const CONSENT = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };

class Text {
  text;
}
IsString()(Text.prototype, 'text');

class Count {
  count;
}
IsInt()(Count.prototype, 'count');

const TOOLS = {
  quick: Text,
  big: Count,
  slowBig: Count,
  fail: undefined,
  crash: undefined,
  slow: Count,
  ask: RequestContext,
  change: Text,
};
for (const [name, input] of Object.entries(TOOLS)) {
  Tool({ description: `Be ${name}`, ...(input && { input }) })(SoakServer.prototype, name, {});
}
Resource({ uri: 'note:///one', description: 'A note' })(SoakServer.prototype, 'note', {});
McpServer({ name: 'soak', version: '1.0.0' })(SoakServer);

/** Short times, so that abandoned sessions are removed during the soak test. */
const OPTIONS = { sessionIdle: 5000, pingInterval: 1000, eventBuffer: 8 * 1024 * 1024, sse: true };

const server = new SoakServer();
const service = await serveHttp({ '/mcp': server }, OPTIONS);
const tasks = {
  forClients: () => process.send(heldFor(server, service)),
  inAll: async () => process.send(await heldInAll()),
  async close() {
    await service.close();
    process.disconnect();
  },
};
process.on('message', (task) => void tasks[task]());
process.send({ url: `${service.url}/mcp` });
