/**
 * Requirements for stdio and HTTP, apart from the messages themselves. `STATELESS_HTTP` contains those that are specific to HTTP
 * of 2026-07-28.
 */
export const TRANSPORTS = {
  'stdio.lines': {
    must: 'write one message per line, without line breaks in it',
    section: 'basic/transports/stdio',
    over: ['stdio'],
  },
  'stdio.stdout': { must: 'write nothing to stdout but messages', section: 'basic/transports/stdio', over: ['stdio'] },
  'stdio.stderr': { should: 'log to stderr', section: 'basic/transports/stdio', over: ['stdio'] },
  'stdio.chunks': {
    must: 'read a message that arrives in any number of chunks',
    section: 'basic/transports/stdio',
    over: ['stdio'],
  },
  'stdio.oversize': {
    should: 'reject a line that is too long and continue with the next one',
    section: 'basic/transports/stdio',
    over: ['stdio'],
  },
  'stdio.end': {
    should: 'exit when its input ends',
    section: 'basic/transports/stdio#shutdown',
    over: ['stdio'],
  },
  'stdio.sigterm': { should: 'exit on SIGTERM', section: 'basic/transports/stdio#shutdown', over: ['stdio'] },
  'http.origin': {
    must: 'reject a foreign Origin with 403',
    section: 'basic/transports/streamable-http#security-endpoint',
    over: ['http', 'sse'],
  },
  'http.host': {
    must: 'reject a foreign Host with 403, as protection against DNS rebinding',
    section: 'basic/transports/streamable-http#security-endpoint',
    over: ['http', 'sse'],
  },
  'http.local': {
    should: 'listen only on 127.0.0.1',
    section: 'basic/transports/streamable-http#security-endpoint',
    over: ['http', 'sse'],
  },
  'http.media-type': {
    must: 'reject a body without the media type of JSON with 415',
    section: 'basic/transports/streamable-http#sending-messages',
    over: ['http', 'sse'],
  },
  'http.accept': {
    should: 'reject a client that does not accept both JSON and event streams with 406',
    section: 'basic/transports#sending-messages-to-the-server',
    until: '2025-11-25',
    over: ['http'],
  },
  'http.answer-type': {
    must: 'answer a request with JSON or an event stream',
    section: 'basic/transports/streamable-http#sending-messages',
    over: ['http'],
  },
  'http.answer-ends': {
    should: 'end the stream after the answer',
    section: 'basic/transports/streamable-http#receiving-messages',
    over: ['http'],
  },
  'http.notification': {
    must: 'answer a notification with 202 and no body',
    section: 'basic/transports/streamable-http#sending-messages',
    over: ['http'],
  },
  'http.refused': {
    must: 'reject unacceptable input with an HTTP error status',
    section: 'basic/transports/streamable-http#sending-messages',
    over: ['http'],
  },
  'http.related': {
    must: 'send only messages of a request on its stream',
    section: 'basic/transports/streamable-http#receiving-messages',
    over: ['http'],
  },
  'http.concurrent': {
    must: 'serve several requests at once, each on its own stream',
    section: 'basic/transports/streamable-http#message-flow',
    over: ['http'],
  },
  'http.methods': {
    must: 'reject unsupported HTTP methods with 405',
    section: 'basic/transports/streamable-http',
    over: ['http'],
  },
  'http.id-in-flight': {
    must: 'not run a request of a session whose id is that of one in flight',
    section: 'basic#requests',
    until: '2025-11-25',
    over: ['http'],
  },
  'http.response': {
    must: 'answer a response of the client with 202 and no body',
    section: 'basic/transports#sending-messages-to-the-server',
    until: '2025-11-25',
    over: ['http'],
  },
  'http.listening': {
    must: 'answer a GET with an event stream',
    section: 'basic/transports#listening-for-messages-from-the-server',
    until: '2025-11-25',
    over: ['http'],
  },
  'http.listening-no-answers': {
    must: 'not answer requests on the stream of a GET',
    section: 'basic/transports#listening-for-messages-from-the-server',
    until: '2025-11-25',
    over: ['http'],
  },
  'http.one-stream': {
    must: 'send each message on one stream only',
    section: 'basic/transports#multiple-connections',
    until: '2025-11-25',
    over: ['http'],
  },
  'http.session-id': {
    must: 'give each session an id of visible ASCII',
    section: 'basic/transports#session-management',
    until: '2025-11-25',
    over: ['http'],
  },
  'http.session-required': {
    should: 'reject a request without a session id with 400',
    section: 'basic/transports#session-management',
    until: '2025-11-25',
    over: ['http'],
  },
  'http.session-unknown': {
    must: 'answer 404 for an unknown session',
    section: 'basic/transports#session-management',
    until: '2025-11-25',
    over: ['http'],
  },
  'http.session-end': {
    must: 'end a session on DELETE, and answer 404 for this session afterwards',
    section: 'basic/transports#session-management',
    until: '2025-11-25',
    over: ['http'],
  },
  'http.version-header': {
    must: 'reject an unknown MCP-Protocol-Version with 400',
    section: 'basic/transports#protocol-version-header',
    from: '2025-06-18',
    until: '2025-11-25',
    over: ['http'],
  },
  'http.version-header-missing': {
    should: 'serve a session whose client does not repeat the version',
    section: 'basic/transports#protocol-version-header',
    until: '2025-11-25',
    over: ['http'],
  },
  'http.event-ids': {
    must: 'give no two events of a session the same id',
    section: 'basic/transports#resumability-and-redelivery',
    until: '2025-11-25',
    over: ['http'],
  },
  'http.resume': {
    should: 'send the events after the Last-Event-ID again',
    section: 'basic/transports#resumability-and-redelivery',
    until: '2025-11-25',
    over: ['http'],
  },
  'http.resume-own-stream': {
    must: 'not replay events of another stream',
    section: 'basic/transports#resumability-and-redelivery',
    until: '2025-11-25',
    over: ['http'],
  },
  'http.disconnect': {
    should: 'not treat a lost connection as a cancellation',
    section: 'basic/transports#sending-messages-to-the-server',
    until: '2025-11-25',
    over: ['http'],
  },
  'http.priming': {
    should: 'open a stream with an event id and no data',
    section: 'basic/transports#sending-messages-to-the-server',
    from: '2025-11-25',
    until: '2025-11-25',
    over: ['http'],
  },
  'http.retry': {
    should: 'send the retry time before it closes a stream early',
    section: 'basic/transports#sending-messages-to-the-server',
    from: '2025-11-25',
    until: '2025-11-25',
    over: ['http'],
  },
  'sse.endpoint': {
    must: 'first send the URL for posted messages',
    section: 'basic/transports#http-with-sse',
    until: '2024-11-05',
    over: ['sse'],
  },
  'sse.messages': {
    must: 'send its messages as message events of JSON',
    section: 'basic/transports#http-with-sse',
    until: '2024-11-05',
    over: ['sse'],
  },
  'sse.posted': {
    must: 'accept POST messages at the announced URL',
    section: 'basic/transports#http-with-sse',
    until: '2024-11-05',
    over: ['sse'],
  },
  'sse.foreign': {
    must: 'reject a POST to an unknown session',
    section: 'basic/transports#http-with-sse',
    until: '2024-11-05',
    over: ['sse'],
  },
} as const;
