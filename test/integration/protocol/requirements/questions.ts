/** Requirements for requests of a server: elicitation, roots, sampling, and calls in several rounds on 2026-07-28. */
export const QUESTIONS = {
  'elicitation.declared': {
    must: 'not request input from the user if the client does not support it',
    section: 'client/elicitation#capabilities',
    from: '2025-06-18',
  },
  'elicitation.form': {
    must: 'request input with a message and a flat form of simple values',
    section: 'client/elicitation#requested-schema',
    from: '2025-06-18',
  },
  'elicitation.enum-names': {
    must: 'send the titles of choices in the form of the revision',
    section: 'client/elicitation#request-schema',
    from: '2025-06-18',
    until: '2025-06-18',
  },
  'elicitation.known-fields': {
    must: 'request only fields of kinds that the revision supports',
    section: 'client/elicitation#request-schema',
    from: '2025-06-18',
    until: '2025-06-18',
  },
  'elicitation.choices': {
    must: 'offer titled choices, for one value and for several',
    section: 'client/elicitation#requested-schema',
    from: '2025-11-25',
  },
  'elicitation.defaults': {
    should: 'include the default value of a field',
    section: 'client/elicitation#requested-schema',
    from: '2025-11-25',
  },
  'elicitation.accepted': {
    must: 'continue with the values from the user',
    section: 'client/elicitation#response-actions',
    from: '2025-06-18',
  },
  'elicitation.refused': {
    must: 'continue if the user declines or closes the form',
    section: 'client/elicitation#error-handling',
    from: '2025-06-18',
  },
  'elicitation.validated': {
    should: 'reject an answer that does not fit the form',
    section: 'client/elicitation#security-considerations',
    from: '2025-06-18',
  },
  'elicitation.failed': {
    must: 'continue to work if the client answers with an error',
    section: 'client/elicitation#error-handling',
    from: '2025-06-18',
    until: '2025-11-25',
  },
  'roots.declared': {
    should: 'not request roots from a client without support for roots',
    section: 'client/roots#implementation-guidelines',
  },
  'roots.listed': { must: 'request the roots with roots/list and use them', section: 'client/roots#listing-roots' },
  'roots.changed': {
    should: 'request the roots again after the client announced a change',
    section: 'client/roots#root-list-changes',
    until: '2025-11-25',
  },
  'roots.failed': {
    should: 'continue to work if the client fails to report its roots',
    section: 'client/roots#error-handling',
    until: '2025-11-25',
  },
  'sampling.declared': {
    must: 'not request sampling from a client without support for sampling',
    section: 'client/sampling#capabilities',
  },
  'sampling.created': {
    must: 'request sampling with messages that have a role, and with a token limit',
    section: 'client/sampling#creating-messages',
  },
  'rounds.where': {
    must: 'request input only in calls, reads and prompts',
    section: 'basic/patterns/mrtr#supported-requests',
    from: '2026-07-28',
  },
  'rounds.prompt': {
    must: 'request input in a prompt in the same way as in a call',
    section: 'basic/patterns/mrtr#supported-requests',
    from: '2026-07-28',
  },
  'rounds.resource': {
    must: 'request input in a read in the same way as in a call',
    section: 'basic/patterns/mrtr#supported-requests',
    from: '2026-07-28',
  },
  'rounds.requests': {
    must: 'request input by elicitation, sampling or roots, each request under a separate key',
    section: 'basic/patterns/mrtr#server-requirements-basic-workflow',
    from: '2026-07-28',
  },
  'rounds.capabilities': {
    must: 'request only input that the request declares support for',
    section: 'basic/patterns/mrtr#server-requirements-basic-workflow',
    from: '2026-07-28',
  },
  'rounds.independent': {
    must: 'continue with only the contents of the retry',
    section: 'basic/patterns/mrtr#basic-workflow',
    from: '2026-07-28',
  },
  'rounds.tampered': {
    must: 'reject a changed state',
    section: 'basic/patterns/mrtr#server-requirements-basic-workflow',
    from: '2026-07-28',
  },
  'rounds.bound': {
    should: 'reject the state of another request',
    section: 'basic/patterns/mrtr#server-requirements-basic-workflow',
    from: '2026-07-28',
  },
  'rounds.missing': {
    should: 'request a missing answer again',
    section: 'basic/patterns/mrtr#error-handling',
    from: '2026-07-28',
  },
  'rounds.unexpected': {
    should: 'ignore answers that were not requested',
    section: 'basic/patterns/mrtr#error-handling',
    from: '2026-07-28',
  },
  'rounds.malformed': {
    should: 'reject invalid answers',
    section: 'basic/patterns/mrtr#error-handling',
    from: '2026-07-28',
  },
} as const;
