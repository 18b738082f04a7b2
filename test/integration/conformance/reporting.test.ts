import { describe, expect, it } from 'vitest';

import { recordWire } from '../support/recorders.ts';
import { CASES, sharedSession } from './conformance-cases.ts';

const LOGGED = ['Tool execution started', 'Tool processing data', 'Tool execution completed'].map((data) => ({
  level: 'info',
  data,
}));

describe.each(CASES)('the progress of a tool, over $name,', (each) => {
  const session = sharedSession(each);

  // The test reads the messages on the wire, because the official client drops a report that arrives together with the result.
  it('is reported three times with the total 100 and the progress token of the request', async () => {
    const wire = recordWire(session());
    const params = { name: 'test_tool_with_progress', arguments: {}, _meta: { progressToken: 'progress-test-1' } };
    const { content } = await session().client.request({ method: 'tools/call', params });
    expect(content).toEqual([{ type: 'text', text: 'Tool with progress executed successfully' }]);
    expect(wire.flatMap((message) => ('method' in message ? [message] : []))).toEqual(
      [0, 50, 100].map((progress) => ({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 'progress-test-1', progress, total: 100 },
      })),
    );
  });

  it('is not sent without a progress token', async () => {
    const wire = recordWire(session());
    await session().call('test_tool_with_progress');
    expect(wire).toEqual([expect.objectContaining({ result: expect.anything() })]);
  });
});

describe.each(CASES)('the messages that a tool logs, over $name,', ({ connect, era }) => {
  it('arrive in order', async () => {
    await using session = await connect({ logLevel: 'debug' });
    expect(await session.text('test_tool_with_logging')).toBe('Tool with logging executed successfully');
    expect(session.logs.all).toEqual(LOGGED);
  });

  it('arrive without a request only in a session', async () => {
    await using session = await connect({});
    expect(await session.text('test_logging_tool')).toBe('Logging evaluated');
    expect(session.logs.all).toEqual(era === 'legacy' ? [{ level: 'info', data: 'Diagnostic message' }] : []);
  });
});
