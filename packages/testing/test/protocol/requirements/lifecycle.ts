/** Handshake, versions and discovery. */
export const LIFECYCLE = {
  'lifecycle.initialize': {
    must: 'answer initialize with its version, its capabilities and who it is',
    section: 'basic/lifecycle#initialization',
    until: '2025-11-25',
  },
  'lifecycle.instructions': {
    should: 'hand its instructions to the client as they are',
    section: 'basic/lifecycle#initialization',
    until: '2025-11-25',
  },
  'lifecycle.version-same': {
    must: 'agree to the version the client asks for',
    section: 'basic/lifecycle#version-negotiation',
    until: '2025-11-25',
  },
  'lifecycle.version-other': {
    must: 'offer a version it has for one it does not have',
    section: 'basic/lifecycle#version-negotiation',
    until: '2025-11-25',
  },
  'lifecycle.version-latest': {
    should: 'offer its latest version for one it does not have',
    section: 'basic/lifecycle#version-negotiation',
    until: '2025-11-25',
  },
  'lifecycle.version-respected': {
    must: 'keep to the version that was agreed on',
    section: 'basic/lifecycle#operation',
    until: '2025-11-25',
  },
  'lifecycle.capabilities-respected': {
    must: 'ask the client only for what it declared',
    section: 'basic/lifecycle#operation',
    until: '2025-11-25',
  },
  'lifecycle.initialize-first': {
    must: 'not serve anything before initialize',
    section: 'basic/lifecycle#initialization',
    until: '2025-11-25',
  },
  'lifecycle.initialize-once': {
    must: 'not negotiate a second time',
    section: 'basic/lifecycle#initialization',
    until: '2025-11-25',
  },
  'lifecycle.initialize-params': {
    must: 'refuse an initialize that lacks what it needs with −32602',
    section: 'basic/lifecycle#initialization',
    until: '2025-11-25',
  },
  'lifecycle.quiet-until-initialized': {
    should: 'send no requests before the client said that it is ready',
    section: 'basic/lifecycle#initialization',
    until: '2025-11-25',
  },
  'lifecycle.ping': { must: 'answer a ping with an empty result', section: 'basic/utilities/ping', until: '2025-11-25' },
  'lifecycle.ping-early': {
    must: 'answer a ping before the client said that it is ready',
    section: 'basic/lifecycle#initialization',
    until: '2025-11-25',
  },
  'lifecycle.later-methods': {
    must: 'not have methods of later revisions in a session',
    section: 'basic/lifecycle#operation',
    until: '2025-11-25',
  },
  'versioning.unsupported': {
    must: 'refuse a version it does not have with −32022 and name those it has',
    section: 'basic/versioning#protocol-version-negotiation',
    from: '2026-07-28',
  },
  'versioning.each-request': {
    must: 'check the version of each request, also of later ones',
    section: 'basic/versioning#protocol-version-negotiation',
    from: '2026-07-28',
  },
  'versioning.removed-methods': {
    must: 'not have the methods that the revision removed',
    section: 'changelog#major-changes',
    from: '2026-07-28',
  },
  'versioning.dual-era': {
    must: 'offer the handshake of older revisions to whoever opens with it',
    section: 'basic/versioning#compatibility-matrix',
    from: '2026-07-28',
  },
  'discover.implemented': {
    must: 'answer server/discover with versions and capabilities',
    section: 'server/discover',
    from: '2026-07-28',
  },
  'lifecycle.own-capabilities': {
    must: 'declare its extensions by identifiers with a prefix, and what is experimental',
    section: 'basic/lifecycle#capability-negotiation',
    until: '2025-11-25',
  },
  'discover.own-capabilities': {
    must: 'declare its extensions by identifiers with a prefix, and what is experimental',
    section: 'basic/versioning#extension-negotiation',
    from: '2026-07-28',
  },
  'discover.server-info': { should: 'say there who it is', section: 'server/discover#data-types', from: '2026-07-28' },
  'discover.instructions': {
    should: 'hand out its instructions there',
    section: 'server/discover#data-types',
    from: '2026-07-28',
  },
  'discover.optional': {
    must: 'serve whoever did not ask for it first',
    section: 'server/discover#when-to-call',
    from: '2026-07-28',
  },
} as const;
