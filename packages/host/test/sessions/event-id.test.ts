import { describe, expect, it } from 'vitest';

import { formatEventId, formatRequests, parseEventId, parseRequests } from '../../src/sessions/event-id.ts';

describe('the id of an event', () => {
  it.each([
    ['0-0', { generation: 0, stream: 0, index: 0 }],
    ['12-345', { generation: 0, stream: 12, index: 345 }],
    ['7.12-345', { generation: 7, stream: 12, index: 345 }],
    ['7.12-345.WzFd', { generation: 7, stream: 12, index: 345, requests: 'WzFd' }],
    ['12-345.WzFd', { generation: 0, stream: 12, index: 345, requests: 'WzFd' }],
  ])('is parsed and written: %j', (id, position) => {
    expect(parseEventId(id)).toEqual(position);
    expect(formatEventId(position)).toBe(id);
  });

  it.each([
    '',
    '1',
    '-1',
    '1-',
    '1-2-3',
    '1-2 ',
    '1e3-1',
    '١-٢',
    '1.',
    '1.2',
    '.1-2',
    '1-2.',
    '1-2.a.b',
    '1.2.3-4',
    `${'9'.repeat(16)}-0`,
  ])('is rejected: %j', (id) => {
    expect(parseEventId(id)).toBeUndefined();
  });

  it.each([[[]], [[1]], [['a', 2, 'é "']]])('names the requests %j', (ids) => {
    expect(parseRequests(formatRequests(ids))).toEqual(ids);
    expect(parseEventId(formatEventId({ generation: 1, stream: 2, index: 3, requests: formatRequests(ids) }))).toBeDefined();
  });

  it('does not name requests with long ids', () => {
    expect(formatRequests(['x'.repeat(400)])).toBe('');
  });

  it.each(['', 'a', 'bnVsbA', 'e30', 'W251bGwse30sW11d'])('names no requests in %j, which a client has made up', (text) => {
    expect(parseRequests(text)).toEqual([]);
  });
});
