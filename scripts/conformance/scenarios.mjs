/** What a server of tools, resources and prompts answers without any fixture, by the revision it is asked in. */
export const SCENARIOS = {
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

/** Needs no fixture either, but a server that holds sessions; without one the suite only warns, which proves nothing. */
export const NEED_SESSIONS = {
  '2025-11-25': ['server-session-lifecycle', 'server-sse-polling', 'server-sse-multiple-streams'],
};
