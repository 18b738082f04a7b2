/** Requirements for the handshake, versions and discovery. */
export const LIFECYCLE = {
  'lifecycle.initialize': {
    must: 'answer initialize with its version, capabilities and server information',
    section: 'basic/lifecycle#initialization',
    until: '2025-11-25',
  },
  'lifecycle.instructions': {
    should: 'send its instructions to the client unchanged',
    section: 'basic/lifecycle#initialization',
    until: '2025-11-25',
  },
  'lifecycle.version-same': {
    must: 'accept the version that the client requests',
    section: 'basic/lifecycle#version-negotiation',
    until: '2025-11-25',
  },
  'lifecycle.version-other': {
    must: 'offer a supported version instead of an unsupported one',
    section: 'basic/lifecycle#version-negotiation',
    until: '2025-11-25',
  },
  'lifecycle.version-latest': {
    should: 'offer its latest version instead of an unsupported one',
    section: 'basic/lifecycle#version-negotiation',
    until: '2025-11-25',
  },
  'lifecycle.version-respected': {
    must: 'use the negotiated version',
    section: 'basic/lifecycle#operation',
    until: '2025-11-25',
  },
  'lifecycle.capabilities-respected': {
    must: 'send only requests that the client declared support for',
    section: 'basic/lifecycle#operation',
    until: '2025-11-25',
  },
  'lifecycle.initialize-first': {
    must: 'not serve anything before initialize',
    section: 'basic/lifecycle#initialization',
    until: '2025-11-25',
  },
  'lifecycle.initialize-once': {
    must: 'reject a second initialize request',
    section: 'basic/lifecycle#initialization',
    until: '2025-11-25',
  },
  'lifecycle.initialize-params': {
    must: 'reject an incomplete initialize request with −32602',
    section: 'basic/lifecycle#initialization',
    until: '2025-11-25',
  },
  'lifecycle.quiet-until-initialized': {
    should: 'send no requests before the client is ready',
    section: 'basic/lifecycle#initialization',
    until: '2025-11-25',
  },
  'lifecycle.ping': { must: 'answer a ping with an empty result', section: 'basic/utilities/ping', until: '2025-11-25' },
  'lifecycle.ping-early': {
    must: 'answer a ping before the client is ready',
    section: 'basic/lifecycle#initialization',
    until: '2025-11-25',
  },
  'lifecycle.later-methods': {
    must: 'reject methods of later revisions in a session',
    section: 'basic/lifecycle#operation',
    until: '2025-11-25',
  },
  'versioning.unsupported': {
    must: 'reject an unsupported version with −32022 and list the supported ones',
    section: 'basic/versioning#protocol-version-negotiation',
    from: '2026-07-28',
  },
  'versioning.each-request': {
    must: 'check the version of every request',
    section: 'basic/versioning#protocol-version-negotiation',
    from: '2026-07-28',
  },
  'versioning.removed-methods': {
    must: 'reject the methods that the revision removed',
    section: 'changelog#major-changes',
    from: '2026-07-28',
  },
  'versioning.dual-era': {
    must: 'offer the handshake of older revisions to a client that begins with it',
    section: 'basic/versioning#compatibility-matrix',
    from: '2026-07-28',
  },
  'discover.implemented': {
    must: 'answer server/discover with versions and capabilities',
    section: 'server/discover',
    from: '2026-07-28',
  },
  'lifecycle.own-capabilities': {
    must: 'declare its extensions by identifiers with a prefix, and its experimental capabilities',
    section: 'basic/lifecycle#capability-negotiation',
    until: '2025-11-25',
  },
  'discover.own-capabilities': {
    must: 'declare its extensions by identifiers with a prefix, and its experimental capabilities',
    section: 'basic/versioning#extension-negotiation',
    from: '2026-07-28',
  },
  'discover.server-info': {
    should: 'include the server information in server/discover',
    section: 'server/discover#data-types',
    from: '2026-07-28',
  },
  'discover.instructions': {
    should: 'include its instructions in server/discover',
    section: 'server/discover#data-types',
    from: '2026-07-28',
  },
  'discover.optional': {
    must: 'serve a client that did not request the versions first',
    section: 'server/discover#when-to-call',
    from: '2026-07-28',
  },
} as const;
