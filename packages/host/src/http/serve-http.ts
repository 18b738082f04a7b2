import type { HttpOptions } from './http-options.ts';
import type { HttpService } from './http-service.ts';

/**
 * Serves server objects over HTTP, each at its path and in all revisions. Neither opens nor disposes of the objects.
 *
 * @throws DefinitionError if a class is not usable, TypeError for a path that is invalid or used twice, UsageError for an allowed host
 * or origin that is not a host name, and Node's error if it is impossible to listen on the address
 */
export async function serveHttp(mounts: Readonly<Record<string, object>>, options: HttpOptions = {}): Promise<HttpService> {
  // Loaded only when needed, so that a server without HTTP starts faster.
  const { HttpService: Service } = await import('./http-service.ts');
  const service = new Service(mounts, options);
  try {
    await service.listen();
    return service;
  } catch (error) {
    await service.close();
    throw error;
  }
}
