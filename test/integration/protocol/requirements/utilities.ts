/**
 * Requirements for functions that do not belong to one feature: pagination, caching, completion, logging, progress, cancellation
 * and subscription streams.
 */
export const UTILITIES = {
  'pagination.pages': {
    must: 'send a long list in pages, each entry once',
    section: 'server/utilities/pagination#pagination-model',
  },
  'pagination.end': {
    must: 'send no cursor with the last page',
    section: 'server/utilities/pagination#response-format',
  },
  'pagination.stable': {
    should: 'return the same page for the same cursor',
    section: 'server/utilities/pagination#implementation-guidelines',
  },
  'pagination.invalid': {
    should: 'reject an invalid cursor with −32602',
    section: 'server/utilities/pagination#error-handling',
  },
  'caching.hints': {
    must: 'send cache hints with lists, contents of resources and server/discover',
    section: 'server/utilities/caching#cacheable-results',
    from: '2026-07-28',
  },
  'caching.pages': {
    must: 'send the same cache scope with all pages of a list',
    section: 'server/utilities/caching#interaction-with-pagination',
    from: '2026-07-28',
  },
  'caching.not-interim': {
    must: 'send no cache hints with an incomplete result',
    section: 'server/utilities/caching#cacheable-results',
    from: '2026-07-28',
  },
  'completion.capability': {
    must: 'declare the capability of completion',
    section: 'server/utilities/completion#capabilities',
    from: '2025-03-26',
  },
  'completion.prompt': {
    must: 'complete an argument of a prompt',
    section: 'server/utilities/completion#reference-types',
  },
  'completion.resource': {
    must: 'complete a variable of a template',
    section: 'server/utilities/completion#reference-types',
  },
  'completion.limit': {
    must: 'answer with at most 100 values and their total number',
    section: 'server/utilities/completion#completion-results',
  },
  'completion.context': {
    must: 'use the values of the other arguments',
    section: 'server/utilities/completion#requesting-completions',
    from: '2025-06-18',
  },
  'completion.ranked': {
    should: 'answer with the best values first, and include similar ones',
    section: 'server/utilities/completion#implementation-considerations',
  },
  'completion.unknown': {
    should: 'reject a completion for an unknown reference with −32602',
    section: 'server/utilities/completion#error-handling',
  },
  'completion.malformed': {
    must: 'reject a completion without its argument with −32602',
    section: 'server/utilities/completion#error-handling',
  },
  'logging.capability': { must: 'declare the capability of logging', section: 'server/utilities/logging#capabilities' },
  'logging.message': {
    must: 'send log messages with a level and data',
    section: 'server/utilities/logging#log-message-notifications',
  },
  'logging.set-level': {
    must: 'send no log message less severe than the level that was set',
    section: 'server/utilities/logging#setting-log-level',
    until: '2025-11-25',
  },
  'logging.level-invalid': {
    should: 'reject an invalid level with −32602',
    section: 'server/utilities/logging#error-handling',
  },
  'logging.requested': {
    must: 'send no log messages for a request without a log level',
    section: 'server/utilities/logging#per-request-log-level',
    from: '2026-07-28',
  },
  'logging.request-level': {
    must: 'send no log message less severe than the level of the request',
    section: 'server/utilities/logging#per-request-log-level',
    from: '2026-07-28',
  },
  'logging.before-answer': {
    must: 'send the log messages of a request before its answer',
    section: 'server/utilities/logging#per-request-log-level',
    from: '2026-07-28',
  },
  'progress.token': {
    must: 'report progress with the token of the request, as the same JSON type',
    section: 'basic/patterns/progress#progress-flow',
  },
  'progress.increasing': {
    must: 'report only increasing progress',
    section: 'basic/patterns/progress#progress-flow',
  },
  'progress.wanted': {
    must: 'report no progress for a request without a token',
    section: 'basic/patterns/progress#behavior-requirements',
  },
  'progress.ends': {
    must: 'report no progress after the answer',
    section: 'basic/patterns/progress#implementation-notes',
  },
  'progress.limited': {
    should: 'limit the rate of progress notifications',
    section: 'basic/patterns/progress#implementation-notes',
  },
  'progress.message': {
    should: 'send the message of a progress report',
    section: 'basic/patterns/progress#progress-flow',
    from: '2025-03-26',
  },
  'cancellation.stops': {
    should: 'stop a cancelled request',
    section: 'basic/patterns/cancellation#behavior-requirements',
  },
  'cancellation.silent': {
    must: 'send no further messages for a cancelled request',
    section: 'basic/patterns/cancellation#behavior-requirements',
  },
  'cancellation.unknown': {
    should: 'ignore the cancellation of an unknown or answered request',
    section: 'basic/patterns/cancellation#error-handling',
  },
  'cancellation.malformed': {
    should: 'ignore an invalid cancellation',
    section: 'basic/patterns/cancellation#error-handling',
  },
  'listen.acknowledged': {
    must: 'first acknowledge the subscriptions of a listen stream',
    section: 'basic/patterns/subscriptions#acknowledgment',
    from: '2026-07-28',
  },
  'listen.honoured': {
    must: 'omit unsupported subscriptions from the acknowledgement',
    section: 'basic/patterns/subscriptions#acknowledgment',
    from: '2026-07-28',
  },
  'listen.requested': {
    must: 'send only the requested notifications',
    section: 'basic/patterns/subscriptions#opening-a-stream',
    from: '2026-07-28',
  },
  'listen.id': {
    must: 'mark each notification with the id of the request',
    section: 'basic/patterns/subscriptions#receiving-notifications',
    from: '2026-07-28',
  },
  'listen.several': {
    must: 'distinguish several listen streams',
    section: 'basic/patterns/subscriptions#multiple-concurrent-subscriptions',
    from: '2026-07-28',
  },
  'listen.cancelled': {
    must: 'send no further notifications after the client cancelled the stream',
    section: 'basic/patterns/subscriptions#cancellation',
    from: '2026-07-28',
  },
  'listen.closed': {
    should: 'answer the request when the server ends the stream',
    section: 'basic/patterns/subscriptions#graceful-closure',
    from: '2026-07-28',
  },
  'listen.not-requests': {
    must: 'not send messages of other requests on a listen stream',
    section: 'basic/transports/streamable-http#receiving-messages',
    from: '2026-07-28',
  },
} as const;
