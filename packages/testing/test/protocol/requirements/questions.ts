/** What a server asks its client: elicitation, roots, sampling, and the rounds of 2026-07-28. */
export const QUESTIONS = {
  'elicitation.declared': {
    must: 'not ask the user where the client cannot',
    section: 'client/elicitation#capabilities',
    from: '2025-06-18',
  },
  'elicitation.form': {
    must: 'ask with a message and a flat form of simple values',
    section: 'client/elicitation#requested-schema',
    from: '2025-06-18',
  },
  'elicitation.enum-names': {
    must: 'give titles of choices as the revision has them',
    section: 'client/elicitation#request-schema',
    from: '2025-06-18',
    until: '2025-06-18',
  },
  'elicitation.known-fields': {
    must: 'ask only for fields of a kind that the revision has',
    section: 'client/elicitation#request-schema',
    from: '2025-06-18',
    until: '2025-06-18',
  },
  'elicitation.choices': {
    must: 'offer titled choices, and several at once',
    section: 'client/elicitation#requested-schema',
    from: '2025-11-25',
  },
  'elicitation.defaults': {
    should: 'pass on what a field has by default',
    section: 'client/elicitation#requested-schema',
    from: '2025-11-25',
  },
  'elicitation.accepted': {
    must: 'go on with what the user filled in',
    section: 'client/elicitation#response-actions',
    from: '2025-06-18',
  },
  'elicitation.refused': {
    must: 'bear that the user declines or closes the form',
    section: 'client/elicitation#error-handling',
    from: '2025-06-18',
  },
  'elicitation.validated': {
    should: 'not take an answer that does not fit the form',
    section: 'client/elicitation#security-considerations',
    from: '2025-06-18',
  },
  'elicitation.failed': {
    must: 'bear that the client answers with an error',
    section: 'client/elicitation#error-handling',
    from: '2025-06-18',
    until: '2025-11-25',
  },
  'roots.declared': { should: 'not ask for roots where the client has none', section: 'client/roots#implementation-guidelines' },
  'roots.listed': { must: 'ask for roots by roots/list and heed them', section: 'client/roots#listing-roots' },
  'roots.changed': {
    should: 'ask again after the client said that they changed',
    section: 'client/roots#root-list-changes',
    until: '2025-11-25',
  },
  'roots.failed': {
    should: 'bear that the client cannot tell its roots',
    section: 'client/roots#error-handling',
    until: '2025-11-25',
  },
  'sampling.declared': { must: 'not ask for a model where the client has none', section: 'client/sampling#capabilities' },
  'sampling.created': {
    must: 'ask for a message with messages of a role and a limit of tokens',
    section: 'client/sampling#creating-messages',
  },
  'rounds.where': {
    must: 'ask for input only in calls, reads and prompts',
    section: 'basic/patterns/mrtr#supported-requests',
    from: '2026-07-28',
  },
  'rounds.prompt': {
    must: 'ask in a prompt as it does in a call',
    section: 'basic/patterns/mrtr#supported-requests',
    from: '2026-07-28',
  },
  'rounds.resource': {
    must: 'ask in a read as it does in a call',
    section: 'basic/patterns/mrtr#supported-requests',
    from: '2026-07-28',
  },
  'rounds.requests': {
    must: 'ask by requests that are elicitation, sampling or roots, each under a key of its own',
    section: 'basic/patterns/mrtr#server-requirements-basic-workflow',
    from: '2026-07-28',
  },
  'rounds.capabilities': {
    must: 'ask for nothing the request did not declare',
    section: 'basic/patterns/mrtr#server-requirements-basic-workflow',
    from: '2026-07-28',
  },
  'rounds.independent': {
    must: 'go on by what the retry carries alone',
    section: 'basic/patterns/mrtr#basic-workflow',
    from: '2026-07-28',
  },
  'rounds.tampered': {
    must: 'refuse a state that was changed on its way',
    section: 'basic/patterns/mrtr#server-requirements-basic-workflow',
    from: '2026-07-28',
  },
  'rounds.bound': {
    should: 'refuse the state of another request',
    section: 'basic/patterns/mrtr#server-requirements-basic-workflow',
    from: '2026-07-28',
  },
  'rounds.missing': {
    should: 'ask again for an answer that is missing',
    section: 'basic/patterns/mrtr#error-handling',
    from: '2026-07-28',
  },
  'rounds.unexpected': {
    should: 'pass over answers nobody asked for',
    section: 'basic/patterns/mrtr#error-handling',
    from: '2026-07-28',
  },
  'rounds.malformed': {
    should: 'refuse answers that are none',
    section: 'basic/patterns/mrtr#error-handling',
    from: '2026-07-28',
  },
} as const;
