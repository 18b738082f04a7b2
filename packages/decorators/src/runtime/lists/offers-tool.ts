import { compileServer } from '../../compile/compile-server.ts';
import { OfferedTools } from './offered-tools.ts';

/**
 * Returns whether a server object has a tool and offers it to models or to views. The selection and the method `offers` of the
 * object, or of a feature that contains the tool, may exclude the tool. Texts that recommend a tool can depend on this. Options
 * of the factory do not count.
 */
export function offersTool(server: object, name: string): boolean {
  return new OfferedTools({ server, compiled: compileServer(server) }).find(name) !== undefined;
}
