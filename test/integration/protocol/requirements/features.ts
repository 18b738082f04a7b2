/** Requirements for tools, resources and prompts. */
export const FEATURES = {
  'tools.capability': { must: 'declare the capability of its tools', section: 'server/tools#capabilities' },
  'tools.list': { must: 'list each tool with a name and the schema of its arguments', section: 'server/tools#tool' },
  'tools.list-order': { should: 'list its tools in the same order each time', section: 'server/tools#capabilities' },
  'tools.list-same': {
    must: 'return the same list on every connection, regardless of other requests',
    section: 'server/tools#capabilities',
    from: '2026-07-28',
  },
  'tools.names': {
    should: 'name each tool once, in 1 to 128 of the allowed characters',
    section: 'server/tools#tool-names',
    from: '2025-11-25',
  },
  'tools.input-schema': { must: 'describe arguments by a schema of type object', section: 'server/tools#tool' },
  'tools.input-schema-verbatim': {
    must: 'keep the keywords of JSON Schema 2020-12',
    section: 'basic#json-schema-usage',
    from: '2025-11-25',
  },
  'tools.no-arguments': {
    should: 'declare that a tool without arguments accepts no arguments',
    section: 'server/tools#tool',
    from: '2025-11-25',
  },
  'tools.annotations': { should: 'include the annotations of a tool', section: 'server/tools#tool', from: '2025-03-26' },
  'tools.title': { should: 'include the title of a tool', section: 'server/tools#tool', from: '2025-06-18' },
  'tools.icons': { should: 'include the icons of a tool', section: 'basic#icons', from: '2025-11-25' },
  'tools.call': { must: 'answer a call with content', section: 'server/tools#calling-tools' },
  'tools.call-without-arguments': { must: 'accept a call without arguments', section: 'server/tools#calling-tools' },
  'tools.unknown': { must: 'reject an unknown tool with −32602', section: 'server/tools#error-handling' },
  'tools.malformed': { must: 'reject an invalid call with −32602', section: 'server/tools#error-handling' },
  'tools.failure': { must: 'report in the result that a tool failed, with the reason', section: 'server/tools#error-handling' },
  'tools.arguments': { must: 'not run a tool with invalid arguments', section: 'server/tools#security-considerations' },
  'tools.arguments-failure': {
    should: 'report the invalid arguments in the result, so that the model can correct them',
    section: 'server/tools#error-handling',
    from: '2025-11-25',
  },
  'tools.rate-limit': { must: 'limit the rate of tool calls', section: 'server/tools#security-considerations' },
  'tools.sanitised': {
    must: 'not disclose internal details of the server in a failure',
    section: 'server/tools#security-considerations',
  },
  'tools.text': { must: 'answer with text', section: 'server/tools#text-content' },
  'tools.image': { must: 'answer with images in Base64 and their type', section: 'server/tools#image-content' },
  'tools.audio': {
    must: 'answer with audio in Base64 and its type',
    section: 'server/tools#audio-content',
    from: '2025-03-26',
  },
  'tools.resource': { must: 'answer with resources and their URI', section: 'server/tools#embedded-resources' },
  'tools.resource-link': {
    must: 'answer with links to resources',
    section: 'server/tools#resource-links',
    from: '2025-06-18',
  },
  'tools.known-content': {
    must: 'answer only with content types that the revision supports',
    section: 'server/tools#tool-result',
    until: '2025-03-26',
  },
  'tools.structured': {
    must: 'answer with structured content that matches the output schema of the tool',
    section: 'server/tools#output-schema',
    from: '2025-06-18',
  },
  'tools.structured-text': {
    should: 'return the structured content as text, too',
    section: 'server/tools#structured-content',
  },
  'tools.list-changed': {
    should: 'notify clients of changed tools',
    section: 'server/tools#list-changed-notification',
  },
  'resources.capability': { must: 'declare the capability of its resources', section: 'server/resources#capabilities' },
  'resources.list': { must: 'list each resource with its URI and a name', section: 'server/resources#resource' },
  'resources.list-same': {
    must: 'return the same list on every connection, regardless of other requests',
    section: 'server/resources#capabilities',
    from: '2026-07-28',
  },
  'resources.templates': {
    must: 'list each template with a name',
    section: 'server/resources#resource-templates',
  },
  'resources.annotations': {
    should: 'include the audience and the priority of a resource',
    section: 'server/resources#annotations',
  },
  'resources.read-text': { must: 'read text with its URI and type', section: 'server/resources#text-content' },
  'resources.read-blob': { must: 'read bytes in Base64', section: 'server/resources#binary-content' },
  'resources.read-several': { must: 'return several contents for one URI', section: 'server/resources#reading-resources' },
  'resources.read-template': { must: 'read a resource through a template', section: 'server/resources#resource-templates' },
  'resources.not-found': {
    must: 'answer −32002 for a missing resource',
    section: 'server/resources#error-handling',
    until: '2025-11-25',
  },
  'resources.not-found-params': {
    must: 'answer −32602 for a missing resource',
    section: 'server/resources#error-handling',
    from: '2026-07-28',
  },
  'resources.not-found-uri': {
    should: 'include the URI of a missing resource',
    section: 'server/resources#error-handling',
  },
  'resources.internal': {
    should: 'answer −32603 for a failed read, without the reason',
    section: 'server/resources#error-handling',
  },
  'resources.uri': { must: 'reject an invalid URI', section: 'server/resources#security-considerations' },
  'resources.list-changed': {
    should: 'notify clients of changed resources',
    section: 'server/resources#list-changed-notification',
  },
  'resources.subscribe': {
    must: 'notify the subscribers of a changed resource',
    section: 'server/resources#subscriptions',
  },
  'resources.subscribed-only': {
    must: 'report only resources with a subscription',
    section: 'server/resources#subscriptions',
  },
  'resources.unsubscribe': {
    must: 'stop reporting a resource after the client unsubscribed',
    section: 'server/resources#subscriptions',
  },
  'resources.subscribe-refused': {
    must: 'reject a subscription to a resource that cannot be watched',
    section: 'server/resources#subscriptions',
    until: '2025-11-25',
  },
  'prompts.capability': { must: 'declare the capability of its prompts', section: 'server/prompts#capabilities' },
  'prompts.list': { must: 'list each prompt with its name and arguments', section: 'server/prompts#prompt' },
  'prompts.list-same': {
    must: 'return the same list on every connection, regardless of other requests',
    section: 'server/prompts#capabilities',
    from: '2026-07-28',
  },
  'prompts.get': { must: 'answer with messages that have a role', section: 'server/prompts#promptmessage' },
  'prompts.image': { must: 'return images in Base64 with their type', section: 'server/prompts#image-content' },
  'prompts.audio': {
    must: 'return audio in Base64 with its type',
    section: 'server/prompts#audio-content',
    from: '2025-03-26',
  },
  'prompts.resource': {
    must: 'return resources with URI, type and content',
    section: 'server/prompts#embedded-resources',
  },
  'prompts.known-content': {
    must: 'return only content types that the revision supports',
    section: 'server/prompts#promptmessage',
    until: '2025-03-26',
  },
  'prompts.unknown': { should: 'reject an unknown prompt with −32602', section: 'server/prompts#error-handling' },
  'prompts.arguments': {
    should: 'reject a prompt without a required argument with −32602',
    section: 'server/prompts#error-handling',
  },
  'prompts.internal': {
    should: 'answer −32603 for a failed prompt, without the reason',
    section: 'server/prompts#error-handling',
  },
  'prompts.list-changed': {
    should: 'notify clients of changed prompts',
    section: 'server/prompts#list-changed-notification',
  },
} as const;
