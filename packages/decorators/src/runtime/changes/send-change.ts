import type { Server, ServerEvent } from '@modelcontextprotocol/server';

const LISTS = {
  tools_list_changed: { capability: 'tools', method: 'notifications/tools/list_changed' },
  prompts_list_changed: { capability: 'prompts', method: 'notifications/prompts/list_changed' },
  resources_list_changed: { capability: 'resources', method: 'notifications/resources/list_changed' },
} as const;

/** Sends an event to the client of one protocol instance. Does nothing if the server does not declare the capability. */
export async function sendChange(server: Server, event: ServerEvent): Promise<void> {
  const declared = server.getCapabilities();
  if (event.kind === 'resource_updated') {
    if (declared.resources?.subscribe === true) await server.sendResourceUpdated({ uri: event.uri });
    return;
  }
  const { capability, method } = LISTS[event.kind];
  if (declared[capability]?.listChanged === true) await server.notification({ method });
}
