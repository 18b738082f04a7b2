import { DefinitionError, compileServer } from '../../src/index.ts';

/** Returns the reported problems of a class or an object. Returns an empty list if the class or object compiles. */
export function readProblems(server: object): readonly string[] {
  try {
    compileServer(server);
  } catch (error) {
    if (DefinitionError.is(error)) return error.problems;
    throw error;
  }
  return [];
}
