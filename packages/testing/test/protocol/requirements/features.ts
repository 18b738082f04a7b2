/** Tools, resources and prompts. */
export const FEATURES = {
  'tools.capability': { must: 'declare the capability of its tools', section: 'server/tools#capabilities' },
  'tools.list': { must: 'list each tool with a name and the schema of its arguments', section: 'server/tools#tool' },
  'tools.list-order': { should: 'list its tools in the same order each time', section: 'server/tools#capabilities' },
  'tools.list-same': {
    must: 'list the same to every connection, whatever else was asked for',
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
    should: 'say that a tool without arguments takes none',
    section: 'server/tools#tool',
    from: '2025-11-25',
  },
  'tools.annotations': { should: 'pass on what it says of a tool', section: 'server/tools#tool', from: '2025-03-26' },
  'tools.title': { should: 'pass on the title of a tool', section: 'server/tools#tool', from: '2025-06-18' },
  'tools.icons': { should: 'pass on the icons of a tool', section: 'basic#icons', from: '2025-11-25' },
  'tools.call': { must: 'answer a call with content', section: 'server/tools#calling-tools' },
  'tools.call-without-arguments': { must: 'take a call without arguments', section: 'server/tools#calling-tools' },
  'tools.unknown': { must: 'refuse an unknown tool with −32602', section: 'server/tools#error-handling' },
  'tools.malformed': { must: 'refuse a call that is none with −32602', section: 'server/tools#error-handling' },
  'tools.failure': { must: 'say in the result that a tool failed, and why', section: 'server/tools#error-handling' },
  'tools.arguments': { must: 'not run a tool with arguments that do not fit', section: 'server/tools#security-considerations' },
  'tools.arguments-failure': {
    should: 'say in the result which arguments do not fit, for the model to mend them',
    section: 'server/tools#error-handling',
    from: '2025-11-25',
  },
  'tools.rate-limit': { must: 'limit how often a tool is called', section: 'server/tools#security-considerations' },
  'tools.sanitised': {
    must: 'not let the inside of the server out with a failure',
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
    must: 'answer only with kinds of content that the revision has',
    section: 'server/tools#tool-result',
    until: '2025-03-26',
  },
  'tools.structured': {
    must: 'answer with structured content that fits the schema the tool gives',
    section: 'server/tools#output-schema',
    from: '2025-06-18',
  },
  'tools.structured-text': {
    should: 'say in text what the structured content says',
    section: 'server/tools#structured-content',
  },
  'tools.list-changed': {
    should: 'tell that its tools changed',
    section: 'server/tools#list-changed-notification',
  },
  'resources.capability': { must: 'declare the capability of its resources', section: 'server/resources#capabilities' },
  'resources.list': { must: 'list each resource with its URI and a name', section: 'server/resources#resource' },
  'resources.list-same': {
    must: 'list the same to every connection, whatever else was asked for',
    section: 'server/resources#capabilities',
    from: '2026-07-28',
  },
  'resources.templates': {
    must: 'list each template with a name',
    section: 'server/resources#resource-templates',
  },
  'resources.annotations': {
    should: 'pass on for whom a resource is and how much it matters',
    section: 'server/resources#annotations',
  },
  'resources.read-text': { must: 'read text with its URI and type', section: 'server/resources#text-content' },
  'resources.read-blob': { must: 'read bytes in Base64', section: 'server/resources#binary-content' },
  'resources.read-several': { must: 'read several contents by one URI', section: 'server/resources#reading-resources' },
  'resources.read-template': { must: 'read what a template names', section: 'server/resources#resource-templates' },
  'resources.not-found': {
    must: 'answer −32002 for what is not there',
    section: 'server/resources#error-handling',
    until: '2025-11-25',
  },
  'resources.not-found-params': {
    must: 'answer −32602 for what is not there',
    section: 'server/resources#error-handling',
    from: '2026-07-28',
  },
  'resources.not-found-uri': {
    should: 'repeat the URI of what is not there',
    section: 'server/resources#error-handling',
  },
  'resources.internal': {
    should: 'answer −32603 for what it cannot read, without its reason',
    section: 'server/resources#error-handling',
  },
  'resources.uri': { must: 'not read by a URI that is none', section: 'server/resources#security-considerations' },
  'resources.list-changed': {
    should: 'tell that its resources changed',
    section: 'server/resources#list-changed-notification',
  },
  'resources.subscribe': {
    must: 'tell who subscribed to a resource that it changed',
    section: 'server/resources#subscriptions',
  },
  'resources.subscribed-only': {
    must: 'not tell of other resources than those that were subscribed to',
    section: 'server/resources#subscriptions',
  },
  'resources.unsubscribe': {
    must: 'not tell of a resource any more once that was asked for',
    section: 'server/resources#subscriptions',
  },
  'resources.subscribe-refused': {
    must: 'refuse to watch what cannot be watched',
    section: 'server/resources#subscriptions',
    until: '2025-11-25',
  },
  'prompts.capability': { must: 'declare the capability of its prompts', section: 'server/prompts#capabilities' },
  'prompts.list': { must: 'list each prompt with a name and what it takes', section: 'server/prompts#prompt' },
  'prompts.list-same': {
    must: 'list the same to every connection, whatever else was asked for',
    section: 'server/prompts#capabilities',
    from: '2026-07-28',
  },
  'prompts.get': { must: 'answer with messages, each of a role', section: 'server/prompts#promptmessage' },
  'prompts.image': { must: 'give images in Base64 and their type', section: 'server/prompts#image-content' },
  'prompts.audio': {
    must: 'give audio in Base64 and its type',
    section: 'server/prompts#audio-content',
    from: '2025-03-26',
  },
  'prompts.resource': {
    must: 'give resources with URI, type and content',
    section: 'server/prompts#embedded-resources',
  },
  'prompts.known-content': {
    must: 'give only kinds of content that the revision has',
    section: 'server/prompts#promptmessage',
    until: '2025-03-26',
  },
  'prompts.unknown': { should: 'refuse an unknown prompt with −32602', section: 'server/prompts#error-handling' },
  'prompts.arguments': {
    should: 'refuse a prompt that lacks an argument with −32602',
    section: 'server/prompts#error-handling',
  },
  'prompts.internal': {
    should: 'answer −32603 for a prompt that fails, without its reason',
    section: 'server/prompts#error-handling',
  },
  'prompts.list-changed': {
    should: 'tell that its prompts changed',
    section: 'server/prompts#list-changed-notification',
  },
} as const;
