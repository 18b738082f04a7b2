/** What goes with every feature: pages, caches, completion, logs, progress, cancellation, listening. */
export const UTILITIES = {
  'pagination.pages': {
    must: 'hand out a long list in pages, each entry once',
    section: 'server/utilities/pagination#pagination-model',
  },
  'pagination.end': {
    must: 'give the last page no cursor',
    section: 'server/utilities/pagination#response-format',
  },
  'pagination.stable': {
    should: 'give the same page for the same cursor',
    section: 'server/utilities/pagination#implementation-guidelines',
  },
  'pagination.invalid': {
    should: 'refuse a cursor that is none with −32602',
    section: 'server/utilities/pagination#error-handling',
  },
  'caching.hints': {
    must: 'say of each list, of what is read and of itself how long it may be kept',
    section: 'server/utilities/caching#cacheable-results',
    from: '2026-07-28',
  },
  'caching.pages': {
    must: 'give all pages of a list the same scope',
    section: 'server/utilities/caching#interaction-with-pagination',
    from: '2026-07-28',
  },
  'caching.not-interim': {
    must: 'say no such thing of a result that is not complete',
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
    must: 'answer with at most 100 values, and say how many there are',
    section: 'server/utilities/completion#completion-results',
  },
  'completion.context': {
    must: 'heed the arguments that were chosen already',
    section: 'server/utilities/completion#requesting-completions',
    from: '2025-06-18',
  },
  'completion.ranked': {
    should: 'answer with the best values first, and with near ones',
    section: 'server/utilities/completion#implementation-considerations',
  },
  'completion.unknown': {
    should: 'refuse to complete what is not there with −32602',
    section: 'server/utilities/completion#error-handling',
  },
  'completion.malformed': {
    must: 'refuse a completion that lacks its argument with −32602',
    section: 'server/utilities/completion#error-handling',
  },
  'logging.capability': { must: 'declare the capability of logging', section: 'server/utilities/logging#capabilities' },
  'logging.message': {
    must: 'send log messages with a level and with what they say',
    section: 'server/utilities/logging#log-message-notifications',
  },
  'logging.set-level': {
    must: 'send nothing less severe than the level that was set',
    section: 'server/utilities/logging#setting-log-level',
    until: '2025-11-25',
  },
  'logging.level-invalid': {
    should: 'refuse a level that is none with −32602',
    section: 'server/utilities/logging#error-handling',
  },
  'logging.requested': {
    must: 'send log messages of no request that did not ask for them',
    section: 'server/utilities/logging#per-request-log-level',
    from: '2026-07-28',
  },
  'logging.request-level': {
    must: 'send nothing less severe than the request asked for',
    section: 'server/utilities/logging#per-request-log-level',
    from: '2026-07-28',
  },
  'logging.before-answer': {
    must: 'send the log messages of a request before its answer',
    section: 'server/utilities/logging#per-request-log-level',
    from: '2026-07-28',
  },
  'progress.token': {
    must: 'report progress by the token of the request, in its own type',
    section: 'basic/patterns/progress#progress-flow',
  },
  'progress.increasing': {
    must: 'report only progress that goes forward',
    section: 'basic/patterns/progress#progress-flow',
  },
  'progress.wanted': {
    must: 'report no progress of a request without a token',
    section: 'basic/patterns/progress#behavior-requirements',
  },
  'progress.ends': {
    must: 'report no progress after the answer',
    section: 'basic/patterns/progress#implementation-notes',
  },
  'progress.limited': {
    should: 'limit how often it reports',
    section: 'basic/patterns/progress#implementation-notes',
  },
  'progress.message': {
    should: 'pass on what a report says in words',
    section: 'basic/patterns/progress#progress-flow',
    from: '2025-03-26',
  },
  'cancellation.stops': {
    should: 'stop what is cancelled',
    section: 'basic/patterns/cancellation#behavior-requirements',
  },
  'cancellation.silent': {
    must: 'send nothing more for a request that was cancelled',
    section: 'basic/patterns/cancellation#behavior-requirements',
  },
  'cancellation.unknown': {
    should: 'ignore the cancellation of what it does not know or has answered',
    section: 'basic/patterns/cancellation#error-handling',
  },
  'cancellation.malformed': {
    should: 'ignore a cancellation that is none',
    section: 'basic/patterns/cancellation#error-handling',
  },
  'listen.acknowledged': {
    must: 'say first what it will tell',
    section: 'basic/patterns/subscriptions#acknowledgment',
    from: '2026-07-28',
  },
  'listen.honoured': {
    must: 'leave out there what it does not offer',
    section: 'basic/patterns/subscriptions#acknowledgment',
    from: '2026-07-28',
  },
  'listen.requested': {
    must: 'tell only what was asked for',
    section: 'basic/patterns/subscriptions#opening-a-stream',
    from: '2026-07-28',
  },
  'listen.id': {
    must: 'mark whatever it tells with the id of the request',
    section: 'basic/patterns/subscriptions#receiving-notifications',
    from: '2026-07-28',
  },
  'listen.several': {
    must: 'tell each of several listeners apart',
    section: 'basic/patterns/subscriptions#multiple-concurrent-subscriptions',
    from: '2026-07-28',
  },
  'listen.cancelled': {
    must: 'tell nothing more once the client has had enough',
    section: 'basic/patterns/subscriptions#cancellation',
    from: '2026-07-28',
  },
  'listen.closed': {
    should: 'answer the request when the server ends what it tells',
    section: 'basic/patterns/subscriptions#graceful-closure',
    from: '2026-07-28',
  },
  'listen.not-requests': {
    must: 'not tell there what belongs to another request',
    section: 'basic/transports/streamable-http#receiving-messages',
    from: '2026-07-28',
  },
} as const;
