/** What a server of tools, resources and prompts answers without any fixture, by the revision it is asked in. */
export const WITHOUT_FIXTURES = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'logging-set-level',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'prompts-list',
    'sep-2164-resource-not-found',
    'caching',
    'http-header-validation',
    'server-sse-multiple-streams',
    'input-required-result-unsupported-methods',
    'dns-rebinding-protection',
  ],
};

const SESSIONS = 'needs sessions';
const TASKS = 'needs the extension for tasks';

/**
 * What a server with all fixtures does not pass, and why. It is held to everything else that the suite has for a revision; a
 * scenario that passes has to be taken off this list.
 */
export const NOT_YET = {
  '2025-11-25': {
    'server-session-lifecycle': SESSIONS,
    'server-sse-polling': SESSIONS,
    'server-sse-multiple-streams': SESSIONS,
    'tools-call-sampling': SESSIONS,
    'tools-call-elicitation': SESSIONS,
    'elicitation-sep1034-defaults': SESSIONS,
    'elicitation-sep1330-enums': SESSIONS,
  },
  '2026-07-28': {
    'tasks-capability-negotiation': TASKS,
    'tasks-dispatch-and-envelope': TASKS,
    'tasks-lifecycle': TASKS,
    'tasks-mrtr-composition': TASKS,
    'tasks-mrtr-input': TASKS,
    'tasks-request-headers': TASKS,
    'tasks-request-state-removal': TASKS,
    'tasks-required-task-error': TASKS,
    'tasks-status-notifications': TASKS,
    'tasks-wire-fields': TASKS,
  },
};
