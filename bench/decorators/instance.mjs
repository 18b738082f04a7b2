import { McpServer, Tool, serverFactory } from '@org/mcp-decorators';
import { McpServer as SdkServer } from '@modelcontextprotocol/server';

import { declareEntry } from './inputs.mjs';
import { interleaved } from '../measuring/interleaved.mjs';
import { zodEntry } from './readers.mjs';
import { compare, median, range } from '../measuring/statistics.mjs';
import { table } from '../measuring/table.mjs';
import { timePerCall } from '../measuring/time-per-call.mjs';

const TOOLS = Array.from({ length: 30 }, (_, position) => `tool_${position}`);
const REFERENCE = 'SDK alone';

/**
 * Measures the cost of a protocol instance with 30 tools, which is created for each connection or session and, without sessions,
 * for each request. Both implementations create the schemas only once.
 */
export async function instance({ rounds }) {
  const ours = serverFactory(annotatedServer());
  const subjects = {
    'annotated class, 2025-11-25': () => ours({ era: 'legacy' }),
    'annotated class, 2026-07-28': () => ours({ era: 'modern' }),
    [REFERENCE]: registeringFactory(),
  };
  const samples = Object.entries(subjects).map(([name, make]) => [name, () => timePerCall(make)]);
  const values = await interleaved(Object.fromEntries(samples), rounds);
  const rows = Object.entries(values).map(([name, times]) => {
    const { perRound, interval } = compare(times, values[REFERENCE]);
    return [name, median(times).toFixed(1), perRound.toFixed(2), range(interval)];
  });
  return {
    title: `Making a protocol instance with ${TOOLS.length} tools: microseconds`,
    body: table(['', 'median', 'per round', '95 %'], rows),
    bars: [],
  };
}

function annotatedServer() {
  class TestServer {}
  for (const name of TOOLS) {
    TestServer.prototype[name] = answer;
    Tool({ description: name, input: declareEntry() })(TestServer.prototype, name, {});
  }
  McpServer({ name: 'bench', version: '1.0.0' })(TestServer);
  return new TestServer();
}

function registeringFactory() {
  const inputs = TOOLS.map((name) => ({ name, inputSchema: zodEntry() }));
  return () => {
    const server = new SdkServer({ name: 'bench', version: '1.0.0' });
    for (const { name, inputSchema } of inputs) server.registerTool(name, { description: name, inputSchema }, answer);
    return server;
  };
}

function answer() {
  return { content: [] };
}
