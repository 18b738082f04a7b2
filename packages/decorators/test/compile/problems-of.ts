import { compileServer, DefinitionError } from '../../src/index.ts';

/** What is reported of a class or an object, line by line; nothing if it compiles. */
export function problemsOf(server: object): readonly string[] {
  try {
    compileServer(server);
  } catch (error) {
    if (DefinitionError.is(error)) return error.problems;
    throw error;
  }
  return [];
}
