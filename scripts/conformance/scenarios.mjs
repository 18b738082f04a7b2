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

/** Scenarios of an extension that is not offered, and counts for no revision. */
export const isOfTasks = (scenario) => scenario.startsWith('tasks-');
