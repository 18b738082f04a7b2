import type { ResourceDefinition } from '../../compile/compiled-server.ts';
import { listServerParts } from '../../compile/feature-tree.ts';

/** Implemented by a server object or a feature that lists resources which its class does not declare. */
export interface ResourceLister {
  /**
   * Returns the current additional resources. Clients get these resources after those with a fixed `uri`, and read each through a
   * template. The method receives no context, so it cannot request input from the client. Publish changes by {@link ChangeBus}.
   */
  listResources(): Promise<readonly ResourceDefinition[]> | readonly ResourceDefinition[];
}

/** Finds the objects that list resources: the server object, its features and the extra features, in this order. */
export function findResourceListers(server: object, extraFeatures: readonly object[]): readonly ResourceLister[] {
  return listServerParts(server, extraFeatures)
    .map(({ object }) => object)
    .filter(isLister);
}

function isLister(object: object): object is ResourceLister {
  return 'listResources' in object && typeof object.listResources === 'function';
}
