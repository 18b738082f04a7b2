import type { ResourceDefinition } from '../compile/primitives.ts';

/** What a server object implements so that resources are listed which its class does not know. */
export interface ResourceLister {
  /**
   * Resources that there are now; they are listed after those with a fixed `uri`, and read by a template. There is no call that could
   * ask the client. Who changes the answer tells the clients by `Changes`.
   */
  listResources(): Promise<readonly ResourceDefinition[]> | readonly ResourceDefinition[];
}

/** What a server object lists itself. */
export async function listedBy(server: object): Promise<readonly ResourceDefinition[]> {
  return isLister(server) ? server.listResources() : [];
}

function isLister(server: object): server is ResourceLister {
  return 'listResources' in server && typeof server.listResources === 'function';
}
