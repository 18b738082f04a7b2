/** Scenarios that a server with tools, resources and prompts passes without fixtures, by the revision of the request. */
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

/** Whether a scenario tests the tasks extension, which the servers do not offer. */
export const isOfTasks = (scenario) => scenario.startsWith('tasks-');
