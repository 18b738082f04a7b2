import { McpServer, Tool } from '@org/mcp-decorators';
import { describe, expect, it } from 'vitest';

import { openMetrics } from '../../src/info/metrics.ts';
import { ServerInformation, type Gauges } from '../../src/info/server-information.ts';

@McpServer({ name: 'plain', version: '1.0.0' })
class Plain {
  @Tool({ description: 'Return the time' })
  now(): string {
    return '';
  }
}

const NOW = { kind: 'tool', name: 'now' } as const;

function information(): ServerInformation {
  return new ServerInformation({ server: new Plain(), settings: {}, onError: () => undefined });
}

/** Returns the samples of a page whose names begin with this prefix. */
function samples(page: string, prefix: string): readonly string[] {
  return page.split('\n').filter((line) => line.startsWith(prefix));
}

describe('the page of metrics', () => {
  it('counts calls by server, kind, name and outcome', async () => {
    const [one, other] = [information(), information()];
    const page = await openMetrics({ '/one': one, '/other': other });
    for (const outcome of ['ok', 'ok', 'TIMEOUT']) one.statistics.observe(NOW)(outcome);
    other.statistics.observe(NOW)('ok');
    expect(samples(await page.read(), 'mcp_calls_total')).toEqual([
      'mcp_calls_total{server="/one",kind="tool",name="now",outcome="ok"} 2',
      'mcp_calls_total{server="/one",kind="tool",name="now",outcome="TIMEOUT"} 1',
      'mcp_calls_total{server="/other",kind="tool",name="now",outcome="ok"} 1',
    ]);
  });

  it('has the duration of calls in buckets from 1 ms to a minute', async () => {
    const measured = information();
    const page = await openMetrics({ plain: measured });
    measured.statistics.observe(NOW)('ok');
    const durations = samples(await page.read(), 'mcp_call_duration_seconds');
    expect(durations).toContain('mcp_call_duration_seconds_count{server="plain",kind="tool",name="now"} 1');
    const bounds = durations.flatMap((line) => /le="([^"]+)"/.exec(line)?.[1] ?? []);
    expect(bounds).toEqual(['0.001', '0.005', '0.01', '0.05', '0.1', '0.5', '1', '5', '10', '30', '60', '+Inf']);
  });

  it('shows running calls and the state of the transport at the time of reading', async () => {
    const measured = information();
    const page = await openMetrics({ plain: measured });
    let gauges: Gauges = { sessions: 2, listenStreams: 1, storedEvents: 30, refused: { host: 4, token: 1 } };
    measured.setGaugeReader(() => gauges);
    const end = measured.statistics.observe(NOW);
    const first = await page.read();
    expect(samples(first, 'mcp_calls_in_flight')).toEqual(['mcp_calls_in_flight{server="plain"} 1']);
    expect(samples(first, 'mcp_sessions')).toEqual(['mcp_sessions{server="plain"} 2']);
    expect(samples(first, 'mcp_listen_streams')).toEqual(['mcp_listen_streams{server="plain"} 1']);
    expect(samples(first, 'mcp_stored_events')).toEqual(['mcp_stored_events{server="plain"} 30']);
    expect(samples(first, 'mcp_connections')).toEqual([]);
    end('ok');
    gauges = { sessions: 0, refused: { host: 5, token: 1 } };
    const second = await page.read();
    expect(samples(second, 'mcp_calls_in_flight')).toEqual(['mcp_calls_in_flight{server="plain"} 0']);
    expect(samples(second, 'mcp_sessions')).toEqual(['mcp_sessions{server="plain"} 0']);
    expect(samples(second, 'mcp_refused_requests_total')).toEqual([
      'mcp_refused_requests_total{server="plain",reason="host"} 5',
      'mcp_refused_requests_total{server="plain",reason="token"} 1',
    ]);
  });

  it('has the metrics of the process, and none from another page', async () => {
    const first = information();
    await openMetrics({ first });
    first.statistics.observe(NOW)('ok');
    const page = await openMetrics({ second: information() });
    const text = await page.read();
    expect(samples(text, 'process_resident_memory_bytes ')).toHaveLength(1);
    expect(samples(text, 'nodejs_eventloop_lag_p99_seconds ')).toHaveLength(1);
    expect(samples(text, 'mcp_calls_total')).toEqual([]);
    expect(page.contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
  });
});
