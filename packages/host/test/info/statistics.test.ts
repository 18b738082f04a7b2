import type { ObservedCall } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import { Statistics } from '../../src/info/server-information.ts';

const READ: ObservedCall = { kind: 'tool', name: 'read' };
const GREET: ObservedCall = { kind: 'prompt', name: 'greet' };

describe('the statistics of a server', () => {
  it('count calls by kind, name and outcome', () => {
    const statistics = new Statistics();
    for (const outcome of ['ok', 'ok', 'NOT_FOUND', 'cancelled']) statistics.observe(READ)(outcome);
    statistics.observe(GREET)('asked');
    statistics.observe({ kind: 'tool', name: 'greet' })('INTERNAL');
    expect(statistics.calls).toEqual({
      tool: { read: { ok: 2, NOT_FOUND: 1, cancelled: 1 }, greet: { INTERNAL: 1 } },
      prompt: { greet: { asked: 1 } },
    });
    expect(statistics.failed).toBe(2);
  });

  it('count the running calls', () => {
    const statistics = new Statistics();
    const ends = [READ, READ, GREET].map(statistics.observe);
    expect(statistics.inFlight).toBe(3);
    ends[0]?.('ok');
    expect(statistics.inFlight).toBe(2);
    expect(statistics.calls).toEqual({ tool: { read: { ok: 1 } } });
  });

  it('notify a listener of each ended call and its duration', () => {
    const statistics = new Statistics();
    const told: unknown[] = [];
    statistics.observe(READ)('ok');
    statistics.listen((call, outcome, seconds) => told.push([call, outcome, seconds >= 0 && seconds < 60]));
    statistics.observe(GREET)('TIMEOUT');
    expect(told).toEqual([[GREET, 'TIMEOUT', true]]);
  });

  it('limit the number of distinct outcomes', () => {
    const statistics = new Statistics();
    for (let call = 0; call < 1000; call += 1) statistics.observe(READ)(`E${call}`);
    statistics.observe(GREET)('not a code: /srv/files');
    statistics.observe(GREET)('x'.repeat(65));
    expect(Object.keys(statistics.calls['tool']?.['read'] ?? {})).toHaveLength(98);
    expect(statistics.calls['tool']?.['read']?.['OTHER']).toBe(903);
    expect(statistics.calls['prompt']).toEqual({ greet: { OTHER: 2 } });
    expect(statistics.failed).toBe(1002);
  });

  it.each(['__proto__', 'constructor', 'toString'])('count a tool with the name %s', (name) => {
    const statistics = new Statistics();
    statistics.observe({ kind: 'tool', name })('ok');
    expect(JSON.stringify(statistics.calls)).toBe(`{"tool":{"${name}":{"ok":1}}}`);
  });
});
