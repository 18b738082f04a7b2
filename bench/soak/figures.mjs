import { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { queryObjects } from 'node:v8';

import { McpServer } from '@modelcontextprotocol/server';
import { Subscriptions } from '@org/mcp-decorators';

/**
 * Classes whose objects belong to a client or a request. While no client is connected, the number of their objects must stay the
 * same.
 */
const CLASSES = {
  McpServer,
  ServerResponse,
  Socket,
  ReadableStream,
  AbortSignal,
  Timeout: setTimeout(() => undefined).constructor,
};

const warnings = new Set();
process.on('warning', ({ name, message }) => name !== 'ExperimentalWarning' && warnings.add(message));

/** Counts the objects that a server keeps for clients. */
export function heldFor(server, service) {
  const { connections, sessions, listenStreams, storedEvents } = service.gauges;
  return {
    connections,
    sessions,
    listenStreams,
    storedEvents,
    subscriptions: Subscriptions.of(server).size,
    'watched resources': server.watched,
    'running calls': server.running,
  };
}

/** Returns what this process keeps after a garbage collection, which takes seconds: objects, memory and warnings. */
export async function heldInAll() {
  await collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  const objects = Object.entries(CLASSES).map(([name, type]) => [name, queryObjects(type)]);
  return {
    holds: {
      'listeners of the process': sum(process.eventNames().map((name) => process.listenerCount(name))),
      ...prefixed('resource', countsOf(process.getActiveResourcesInfo())),
      ...prefixed('object', Object.fromEntries(objects)),
    },
    heap: heapUsed + external,
    rss,
    warnings: [...warnings],
  };
}

/** Collects garbage three times. Finalizers run between collections, and the next collection collects what they release. */
async function collectGarbage() {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc();
    await setImmediate();
  }
}

function countsOf(names) {
  const counts = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function prefixed(kind, counts) {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [`${kind} ${name}`, count]));
}

function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0);
}
